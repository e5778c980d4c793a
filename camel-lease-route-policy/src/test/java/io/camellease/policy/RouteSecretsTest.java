/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.Secrets;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteSecretsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ftp://joe:hush-1@host/in | login of hush-1 failed | login of xxxxxx failed",
                "ftp://joe@host/in?password=hush-1&x=y | login of hush-1 failed | login of xxxxxx failed",
                "ftp://joe@host/in?password=RAW(hu&sh) | login of hu&sh failed | login of xxxxxx failed",
                "ftp://joe@host/in?password=RAW(hu)sh)&x=y | login of hu)sh failed | login of xxxxxx failed",
                "ftp://joe@host/in?password=RAW{hush} | login of hush failed | login of xxxxxx failed",
                "ftp://joe@host/in?password=RAWhide7 | login of RAWhide7 failed | login of xxxxxx failed",
                "ftp://joe@host/in?password=RAW | login of RAW failed | login of xxxxxx failed",
                "ftp://joe@host/in?password=RAW( | login of RAW( failed | login of xxxxxx failed",
                "file:in | endpoint [ftp:h?password=RAW(hu)sh)&x=y] | endpoint [ftp:h?password=xxxxxx&x=y]",
                "file:in | endpoint [ftp:h?password=RAW(hu)sh)] | endpoint [ftp:h?password=xxxxxx]",
                "ftp://joe@host/in?password=hu%26sh | login of hu&sh failed | login of xxxxxx failed",
                "file:in | cannot reach mongodb://joe:hush-1@host/db | cannot reach mongodb://joe:xxxxxx@host/db",
                "file:in | bad option password=hush-1, retry | bad option password=xxxxxx, retry",
                "file:in | keystorePassphrase: hush-1 | keystorePassphrase: xxxxxx",
                "file:in | token 1796009701093 of ftp://host/a:b@c | token 1796009701093 of ftp://host/a:b@c",
            })
    void areTakenOutOfText(String uri, String text, String masked) {
        assertThat(RouteSecrets.ofUri(uri).in(text)).isEqualTo(masked);
    }

    @Test
    void areTakenOutOfExceptionsAndTheirCausesWithTheTraceKept() {
        Secrets secrets = RouteSecrets.ofUri("ftp://joe:hush-1@host/in");
        Exception harmless = new IllegalStateException("no such share");
        Exception telling = new IllegalStateException("cannot start", new IllegalArgumentException("for hush-1"));
        StringWriter printed = new StringWriter();

        assertThat(secrets.masked(harmless)).isSameAs(harmless);
        secrets.masked(telling).printStackTrace(new PrintWriter(printed));

        assertThat(printed.toString())
                .doesNotContain("hush-1")
                .contains(
                        "java.lang.IllegalStateException: cannot start",
                        "for xxxxxx",
                        getClass().getName());
    }
}
