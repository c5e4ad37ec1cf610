import { type NewKeyValueStore, StoreError, type StoreLease } from '#given/12-store';
import { Journal, recover } from './journal.ts';
import { type Change, Keyspace } from './keyspace.ts';
import { revokeLease, startLease } from './leases.ts';
import { Watches } from './watches.ts';

/** A record of the log: one step of the store. Given. */
export type LogRecord =
  | { readonly changes: readonly Change[] }
  | { readonly compact: number }
  | { readonly grant: StoreLease }
  | { readonly revoke: string };

/** Opens a store. Given: it connects your parts. */
export const newKeyValueStore: NewKeyValueStore = async ({ clock, log, signal }) => {
  const space = new Keyspace();
  let granted = 0;
  const perform = (record: LogRecord): void => {
    if ('changes' in record) space.write(record.changes);
    else if ('compact' in record) space.compact(record.compact);
    else if ('revoke' in record) revokeLease(space, record.revoke);
    else {
      space.leases.set(record.grant.id, record.grant);
      granted++;
    }
  };
  await recover(log, perform);

  const journal = new Journal<LogRecord>(log, () => {
    const { revision } = space;
    return () => {
      if (!signal.aborted) watches.advance(revision);
    };
  });
  const watches = new Watches(space, () => journal.safe());
  signal.addEventListener('abort', () => watches.end(), { once: true });

  const write = (record: LogRecord): void => {
    perform(record);
    journal.add(record);
  };
  /** Answers when everything that the answer can depend on is on disk; after a crash never. */
  const answer = async <T>(act: () => T): Promise<T> => {
    if (signal.aborted) return new Promise(() => {});
    try {
      return act();
    } finally {
      await journal.safe();
      if (signal.aborted) await new Promise(() => {});
    }
  };
  const start = (lease: StoreLease): void =>
    startLease(space, lease, { clock, signal }, () => void answer(() => write({ revoke: lease.id })));
  for (const lease of space.leases.values()) start(lease);
  return {
    range: (request) => answer(() => space.range(request)),
    transact: (transaction) =>
      answer(() => {
        const { changes, ...result } = space.transact(transaction);
        if (changes.length > 0) journal.add({ changes });
        return result;
      }),
    compact: async (revision) => {
      const known = space.revision;
      // Watches must have the changes that a compaction forgets.
      await journal.safe();
      return answer(() => {
        if (revision > known) throw new StoreError('FutureRevision');
        write({ compact: revision });
      });
    },
    watch: (request) => {
      const watch = watches.open(request);
      if (signal.aborted) watch.stop();
      return watch;
    },
    grantLease: (seconds) =>
      answer(() => {
        const lease = { id: String(granted + 1), seconds };
        start(lease);
        write({ grant: lease });
        return lease;
      }),
    revokeLease: (id) => answer(() => write({ revoke: id })),
  };
};
