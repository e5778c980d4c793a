/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.file.virtualfs.VirtualFileSystemFactory;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;

/** The same as {@link FtpDirectory} by SFTP. */
final class SftpDirectory {

    private static final String LOCAL = "127.0.0.1";

    private SftpDirectory() {}

    /** Serves until nobody needs it; the arguments are those of {@link Assignment#of}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Assignment assignment = Assignment.of(arguments);
        Files.createDirectories(assignment.data());
        try (ServerLog log = new ServerLog("sftp", assignment.workLog());
                SshServer server = SshServer.setUpDefaultServer()) {
            server.setHost(LOCAL);
            server.setPort(0);
            server.setKeyPairProvider(
                    new SimpleGeneratorHostKeyProvider(assignment.data().resolve("host.key")));
            server.setPasswordAuthenticator(
                    (user, password, session) -> user.equals(Assignment.USER) && password.equals(Assignment.PASSWORD));
            server.setSubsystemFactories(List.of(new SftpSubsystemFactory()));
            server.setFileSystemFactory(new VirtualFileSystemFactory(assignment.inbox()));
            CoreModuleProperties.MAX_CONCURRENT_SESSIONS.set(server, 1);
            CoreModuleProperties.IDLE_TIMEOUT.set(server, assignment.idle());
            server.addSessionListener(new Refusals(log));
            server.start();
            assignment.publish("sftp://" + LOCAL + ":" + server.getPort());
            assignment.awaitNoRunner();
        }
    }

    /** Notes every login that is refused. Thread-safe. */
    private record Refusals(ServerLog log) implements SessionListener {

        @Override
        public void sessionDisconnect(Session session, int reason, String message, String language, boolean initiator) {
            if (reason == SshConstants.SSH2_DISCONNECT_TOO_MANY_CONNECTIONS) {
                try {
                    log.write("refused");
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            }
        }
    }
}
