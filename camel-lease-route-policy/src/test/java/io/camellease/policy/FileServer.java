/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.ftpserver.ConnectionConfigFactory;
import org.apache.ftpserver.FtpServerFactory;
import org.apache.ftpserver.ftplet.DefaultFtplet;
import org.apache.ftpserver.ftplet.FtpException;
import org.apache.ftpserver.ftplet.FtpRequest;
import org.apache.ftpserver.ftplet.FtpSession;
import org.apache.ftpserver.ftplet.Ftplet;
import org.apache.ftpserver.ftplet.FtpletResult;
import org.apache.ftpserver.impl.DefaultFtpServer;
import org.apache.ftpserver.listener.ListenerFactory;
import org.apache.ftpserver.usermanager.impl.BaseUser;
import org.apache.ftpserver.usermanager.impl.ConcurrentLoginPermission;
import org.apache.ftpserver.usermanager.impl.WritePermission;
import org.apache.sshd.common.file.virtualfs.VirtualFileSystemFactory;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;

/** An FTP or SFTP server in the test's own process, with one user, who may be logged in so many times. */
interface FileServer extends AutoCloseable {

    /** What is spoken. */
    enum Protocol {
        FTP,
        SFTP
    }

    static FileServer start(Protocol protocol, Path home, int logins) throws Exception {
        Files.createDirectories(home.resolve("in"));
        return switch (protocol) {
            case FTP -> new Ftp(home, logins);
            case SFTP -> new Sftp(home, logins);
        };
    }

    /** The URI of a consumer of its directory {@code in} that polls every 20 ms. */
    default String uri(String options) {
        return uri(port(), options);
    }

    String uri(int port, String options);

    int port();

    /** How many clients are logged in. */
    int loggedIn();

    @Override
    void close() throws IOException;

    /** Lets in one client too many never. */
    final class Ftp implements FileServer {

        private final DefaultFtpServer server;
        private final ListenerFactory listener = new ListenerFactory();
        private volatile String hangsAt = "";
        private volatile Brake brake = new Brake();

        private Ftp(Path home, int logins) throws FtpException {
            FtpServerFactory factory = new FtpServerFactory();
            listener.setServerAddress("127.0.0.1");
            listener.setPort(0);
            factory.addListener("default", listener.createListener());
            ConnectionConfigFactory connections = new ConnectionConfigFactory();
            connections.setMaxLoginFailures(0);
            connections.setMaxThreads(20);
            factory.setConnectionConfig(connections.createConnectionConfig());
            BaseUser user = new BaseUser();
            user.setName("orders");
            user.setPassword("secret");
            user.setHomeDirectory(home.toString());
            user.setAuthorities(List.of(new WritePermission(), new ConcurrentLoginPermission(logins, logins)));
            factory.getUserManager().save(user);
            Map<String, Ftplet> hooks = new HashMap<>();
            hooks.put("hang", new DefaultFtplet() {
                @Override
                public FtpletResult beforeCommand(FtpSession session, FtpRequest request)
                        throws FtpException, IOException {
                    if (request.getCommand().equals(hangsAt)) {
                        brake.run();
                    }
                    return super.beforeCommand(session, request);
                }
            });
            factory.setFtplets(hooks);
            server = (DefaultFtpServer) factory.createServer();
            server.start();
        }

        /** From now on a command is not answered. */
        Brake hangAt(String command) {
            brake = new Brake();
            hangsAt = command;
            return brake;
        }

        /** All commands are answered again. */
        void heal() {
            hangsAt = "";
            brake.release();
        }

        @Override
        public String uri(int port, String options) {
            return "ftp://orders@127.0.0.1:" + port + "/in?password=secret&passiveMode=true&initialDelay=0&delay=20&"
                    + options;
        }

        @Override
        public int port() {
            return server.getListener("default").getPort();
        }

        @Override
        public int loggedIn() {
            return server.getServerContext().getFtpStatistics().getCurrentLoginNumber();
        }

        @Override
        public void close() {
            heal();
            server.stop();
        }
    }

    /** Refuses one session too many. */
    final class Sftp implements FileServer {

        private final SshServer server = SshServer.setUpDefaultServer();

        private Sftp(Path home, int logins) throws IOException {
            server.setHost("127.0.0.1");
            server.setPort(0);
            server.setKeyPairProvider(new SimpleGeneratorHostKeyProvider());
            server.setPasswordAuthenticator((user, password, session) -> password.equals("secret"));
            server.setSubsystemFactories(List.of(new SftpSubsystemFactory()));
            server.setFileSystemFactory(new VirtualFileSystemFactory(home));
            CoreModuleProperties.MAX_CONCURRENT_SESSIONS.set(server, logins);
            server.start();
        }

        @Override
        public String uri(int port, String options) {
            return "sftp://orders@127.0.0.1:" + port + "/in?password=secret&useUserKnownHostsFile=false"
                    + "&jschLoggingLevel=OFF&initialDelay=0&delay=20&" + options;
        }

        @Override
        public int port() {
            return server.getPort();
        }

        @Override
        public int loggedIn() {
            return server.getActiveSessions().size();
        }

        @Override
        public void close() throws IOException {
            server.stop(true);
        }
    }
}
