/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.StdJDBCDelegate;
import org.quartz.utils.ConnectionProvider;

/** A database with the tables of Quartz, which the schedulers of several nodes share. */
public final class SharedDatabase {

    private final String name;

    /** A new one. */
    public SharedDatabase(String name) throws SQLException, IOException {
        this.name = name;
        try (InputStream script = StdJDBCDelegate.class.getResourceAsStream("tables_h2.sql");
                Connection connection = connect(name);
                Statement statement = connection.createStatement()) {
            String sql = new String(script.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^--.*$", "");
            for (String part : sql.split(";", -1)) {
                if (!part.isBlank()) {
                    statement.execute(part);
                }
            }
        }
    }

    private static Connection connect(String name) throws SQLException {
        return DriverManager.getConnection("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000", "sa", "");
    }

    /** Puts the properties of a clustered job store in this database. */
    public Properties into(Properties properties, String schedulerName) {
        properties.setProperty("org.quartz.scheduler.instanceName", schedulerName);
        properties.setProperty("org.quartz.jobStore.class", JobStoreTX.class.getName());
        properties.setProperty("org.quartz.jobStore.driverDelegateClass", StdJDBCDelegate.class.getName());
        properties.setProperty("org.quartz.jobStore.dataSource", "ds" + name);
        properties.setProperty("org.quartz.jobStore.isClustered", "true");
        properties.setProperty("org.quartz.jobStore.clusterCheckinInterval", "1000");
        properties.setProperty(
                "org.quartz.dataSource.ds" + name + ".connectionProvider.class", Connections.class.getName());
        properties.setProperty("org.quartz.dataSource.ds" + name + ".database", name);
        return properties;
    }

    /** The state of a trigger in the shared store. */
    public String triggerState(String trigger) throws SQLException {
        try (Connection connection = connect(name);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT TRIGGER_STATE FROM QRTZ_TRIGGERS WHERE TRIGGER_NAME = '" + trigger + "'")) {
            return rows.next() ? rows.getString(1) : "none";
        }
    }

    /** As somebody with a database tool. */
    void change(String sql) throws SQLException {
        try (Connection connection = connect(name);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** What Quartz is configured with. */
    public static final class Connections implements ConnectionProvider {
        private String database = "";

        public void setDatabase(String database) {
            this.database = database;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return connect(database);
        }

        @Override
        public void initialize() {}

        @Override
        public void shutdown() {}
    }
}
