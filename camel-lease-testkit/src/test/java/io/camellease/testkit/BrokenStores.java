/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.Found;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Stores round right rules that are wrong in one point each. */
final class BrokenStores {

    private BrokenStores() {}

    /** By name, which begins with the rule that a contract test must find broken. */
    static Map<String, Function<InMemoryLeaseStore, LeaseStore>> all() {
        Map<String, Function<InMemoryLeaseStore, LeaseStore>> all = new LinkedHashMap<>();
        all.put("s2 closing a store ends its grants", EndingGrantsOnClose::new);
        all.put("s10 case of names is ignored", behind -> new Renaming(behind, name -> name.toLowerCase(Locale.ROOT)));
        all.put(
                "s10 long names are cut",
                behind -> new Renaming(behind, name -> name.length() > 190 ? name.substring(0, 190) : name));
        all.put(
                "s10 double spaces and slashes are joined",
                behind -> new Renaming(behind, name -> name.replaceAll("([ /])+", "$1")));
        all.put("s11 damaged record is overwritten", OverwritingDamage::new);
        all.put("s11 damaged record is granted to nobody, silently", HidingDamage::new);
        all.put("s11 grant whose record is damaged is renewed", RenewingAlways::new);
        all.put("s11 damaged record disturbs all names", FailingOnDamage::new);
        all.put("s12 batch is answered in another order", Reversing::new);
        all.put("s12 batch ends at the first loss", EndingAtLoss::new);
        all.put("s12 find leaves names without a record out", LeavingOut::new);
        all.put("value is trimmed", Trimming::new);
        return all;
    }

    private static final class EndingGrantsOnClose extends DelegatingStore {
        private final List<Lease> granted = new ArrayList<>();

        EndingGrantsOnClose(InMemoryLeaseStore behind) {
            super(behind);
        }

        @Override
        public ClaimResult claim(Claim claim) {
            ClaimResult result = super.claim(claim);
            if (result instanceof ClaimResult.Granted grant) {
                granted.add(grant.lease());
            }
            return result;
        }

        @Override
        public void close() {
            granted.forEach(lease -> behind.expire(lease.name()));
        }
    }

    private static final class Renaming extends DelegatingStore {
        private final Function<String, String> rename;

        Renaming(InMemoryLeaseStore behind, Function<String, String> rename) {
            super(behind);
            this.rename = rename;
        }

        private LeaseName stored(LeaseName name) {
            return new LeaseName(rename.apply(name.value()));
        }

        @Override
        public ClaimResult claim(Claim claim) {
            return super.claim(new Claim(
                    stored(claim.name()),
                    claim.holder(),
                    claim.attempt(),
                    claim.expectedToken(),
                    claim.expectedSeq(),
                    claim.observed(),
                    claim.ttl(),
                    claim.value()));
        }

        @Override
        public Found find(Collection<LeaseName> names) {
            Found found = super.find(names.stream().map(this::stored).toList());
            Map<LeaseName, LeaseRecord> records = new HashMap<>();
            names.forEach(name -> records.put(name, found.records().get(stored(name))));
            return new Found(found.storeNow(), records, found.unreadable());
        }
    }

    private static final class OverwritingDamage extends DelegatingStore {
        OverwritingDamage(InMemoryLeaseStore behind) {
            super(behind);
        }

        @Override
        public ClaimResult claim(Claim claim) {
            try {
                return super.claim(claim);
            } catch (LeaseStoreException damaged) {
                behind.wipe(claim.name());
                return super.claim(claim);
            }
        }
    }

    private static final class HidingDamage extends DelegatingStore {
        HidingDamage(InMemoryLeaseStore behind) {
            super(behind);
        }

        @Override
        public Found find(Collection<LeaseName> names) {
            Found found = super.find(names);
            Map<LeaseName, LeaseRecord> records = new HashMap<>(found.records());
            found.unreadable().keySet().forEach(name -> records.put(name, LeaseRecord.absent(name)));
            return new Found(found.storeNow(), records, Map.of());
        }
    }

    private static final class RenewingAlways extends DelegatingStore {
        RenewingAlways(InMemoryLeaseStore behind) {
            super(behind);
        }

        @Override
        public List<RenewResult> renew(List<Renewal> renewals) {
            return renewals.stream()
                    .map(renewal -> behind.raw(renewal.lease().name()).startsWith("damaged")
                            ? RenewResult.RENEWED
                            : behind.renew(List.of(renewal)).get(0))
                    .toList();
        }
    }

    private static final class FailingOnDamage extends DelegatingStore {
        FailingOnDamage(InMemoryLeaseStore behind) {
            super(behind);
        }

        @Override
        public Found find(Collection<LeaseName> names) {
            Found found = super.find(names);
            if (!found.unreadable().isEmpty()) {
                throw new LeaseStoreException(Problem.UNREADABLE, "a record is damaged", null);
            }
            return found;
        }
    }

    private static final class Reversing extends DelegatingStore {
        Reversing(InMemoryLeaseStore behind) {
            super(behind);
        }

        @Override
        public List<RenewResult> renew(List<Renewal> renewals) {
            List<RenewResult> results = new ArrayList<>();
            super.renew(renewals).forEach(result -> results.add(0, result));
            return results;
        }
    }

    private static final class EndingAtLoss extends DelegatingStore {
        EndingAtLoss(InMemoryLeaseStore behind) {
            super(behind);
        }

        @Override
        public List<RenewResult> renew(List<Renewal> renewals) {
            List<RenewResult> results = new ArrayList<>();
            for (Renewal renewal : renewals) {
                boolean lost = results.contains(RenewResult.LOST);
                results.addAll(lost ? List.of(RenewResult.LOST) : super.renew(List.of(renewal)));
            }
            return results;
        }
    }

    private static final class LeavingOut extends DelegatingStore {
        LeavingOut(InMemoryLeaseStore behind) {
            super(behind);
        }

        @Override
        public Found find(Collection<LeaseName> names) {
            Found found = super.find(names);
            Map<LeaseName, LeaseRecord> records = new HashMap<>(found.records());
            if (names.size() > 1) {
                records.values().removeIf(record -> record.token() == 0);
            }
            return new Found(found.storeNow(), records, found.unreadable());
        }
    }

    private static final class Trimming extends DelegatingStore {
        Trimming(InMemoryLeaseStore behind) {
            super(behind);
        }

        @Override
        public boolean setValue(Lease lease, String value) {
            return super.setValue(lease, value.strip());
        }
    }
}
