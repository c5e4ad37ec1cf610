import type { NewKeyValueStore, StoreLease } from '#given/12-store';
import { Journal, recover } from './journal.ts';
import { type Change, Keyspace } from './keyspace.ts';
import { grant, revoke, startLease } from './leases.ts';
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
    else if ('grant' in record) {
      granted = Number(record.grant.id);
      grant(space, record.grant);
    } else revoke(space, record.revoke);
  };
  await recover(log, perform);

  const watches = new Watches(space);
  signal.addEventListener('abort', () => watches.end(), { once: true });
  const journal = new Journal<LogRecord>(log, () => {
    const { revision } = space;
    return () => {
      if (!signal.aborted) watches.advance(revision);
    };
  });
  const write = (record: LogRecord): void => {
    perform(record);
    journal.add(record);
  };
  /** Answers when everything that the answer can depend on is on disk; after a crash never. */
  const answer = async <T>(act: () => T): Promise<T> => {
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
    compact: (revision) => answer(() => write({ compact: revision })),
    watch: (request) => watches.open(request),
    grantLease: (seconds) =>
      answer(() => {
        const lease = { id: String(granted + 1), seconds };
        write({ grant: lease });
        start(lease);
        return lease;
      }),
    revokeLease: (id) => answer(() => write({ revoke: id })),
  };
};
