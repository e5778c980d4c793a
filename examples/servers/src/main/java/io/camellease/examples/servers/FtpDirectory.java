/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.servers;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.ftpserver.ConnectionConfig;
import org.apache.ftpserver.ConnectionConfigFactory;
import org.apache.ftpserver.FtpServer;
import org.apache.ftpserver.FtpServerFactory;
import org.apache.ftpserver.ftplet.DefaultFtplet;
import org.apache.ftpserver.ftplet.FtpException;
import org.apache.ftpserver.ftplet.FtpReply;
import org.apache.ftpserver.ftplet.FtpRequest;
import org.apache.ftpserver.ftplet.FtpSession;
import org.apache.ftpserver.ftplet.FtpletResult;
import org.apache.ftpserver.listener.Listener;
import org.apache.ftpserver.listener.ListenerFactory;
import org.apache.ftpserver.usermanager.PropertiesUserManagerFactory;
import org.apache.ftpserver.usermanager.impl.BaseUser;
import org.apache.ftpserver.usermanager.impl.WritePermission;

/**
 * An FTP server over a directory that lets one client in at a time. It refuses a second login, and closes the connection of a
 * client that says nothing for a while: a client that is frozen cannot log out.
 */
final class FtpDirectory {

    private static final String LOCAL = "127.0.0.1";

    private FtpDirectory() {}

    /** Serves until nobody needs it; the arguments are those of {@link Assignment#of}. */
    public static void main(String[] arguments) throws IOException, InterruptedException, FtpException {
        Assignment assignment = Assignment.of(arguments);
        try (ServerLog log = new ServerLog("ftp", assignment.workLog())) {
            ListenerFactory listenerFactory = new ListenerFactory();
            listenerFactory.setServerAddress(LOCAL);
            listenerFactory.setPort(0);
            Listener listener = listenerFactory.createListener();
            FtpServer server = server(assignment, listener, log);
            server.start();
            assignment.publish("ftp://" + LOCAL + ":" + listener.getPort());
            assignment.awaitNoRunner();
            server.stop();
        }
    }

    private static FtpServer server(Assignment assignment, Listener listener, ServerLog log) throws FtpException {
        FtpServerFactory factory = new FtpServerFactory();
        factory.setListeners(Map.of("default", listener));
        PropertiesUserManagerFactory users = new PropertiesUserManagerFactory();
        factory.setUserManager(users.createUserManager());
        factory.getUserManager().save(user(assignment));
        factory.setFtplets(Map.of("refusals", new Refusals(log)));
        factory.setConnectionConfig(oneLogin());
        return factory.createServer();
    }

    private static BaseUser user(Assignment assignment) {
        BaseUser user = new BaseUser();
        user.setName(Assignment.USER);
        user.setPassword(Assignment.PASSWORD);
        user.setHomeDirectory(assignment.inbox().toString());
        user.setAuthorities(List.of(new WritePermission()));
        user.setMaxIdleTime((int) assignment.idle().toSeconds());
        return user;
    }

    private static ConnectionConfig oneLogin() {
        ConnectionConfigFactory connections = new ConnectionConfigFactory();
        connections.setMaxLogins(1);
        connections.setAnonymousLoginEnabled(false);
        connections.setLoginFailureDelay(0);
        return connections.createConnectionConfig();
    }

    /** Notes every login that is refused. Thread-safe. */
    private static final class Refusals extends DefaultFtplet {
        private static final int FIRST_REFUSING_CODE = 400;

        private final ServerLog log;

        private Refusals(ServerLog log) {
            this.log = log;
        }

        @Override
        public FtpletResult afterCommand(FtpSession session, FtpRequest request, FtpReply reply)
                throws FtpException, IOException {
            boolean isLogin = request.getCommand().equalsIgnoreCase("USER")
                    || request.getCommand().equalsIgnoreCase("PASS");
            if (isLogin && reply.getCode() >= FIRST_REFUSING_CODE) {
                log.write("refused");
            }
            return super.afterCommand(session, request, reply);
        }
    }
}
