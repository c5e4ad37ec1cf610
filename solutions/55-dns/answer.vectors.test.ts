import { describe, expect, test } from 'vitest';
import type { DnsMessage, DnsQuestion, DnsRecord } from '#harness';
import { named, type VectorCase, vectors } from '#harness/testing';
import { answer, type Settings } from './answer.ts';
import { reversed, reverseZones, served } from './upstream-objects.fixture.ts';
import { type Objects, viewOf } from './view.fixture.ts';

type Sections = Pick<DnsMessage, 'rcode' | 'answer' | 'authority' | 'additional'>;
type Row = VectorCase<DnsQuestion, Sections>;

const table = <I = DnsQuestion, E = Sections>(op: string, count: number) =>
  named(vectors<I, E>('coredns', op, count));
const plain: Settings = { zones: ['cluster.local.'], ttl: 5, pods: 'disabled', fallthrough: [] };

/** Asks for a row's name, and compares the sections in any order. */
function agrees(
  row: Row,
  objects: Objects,
  { hasSynced = true, ...settings }: Partial<Settings> & { readonly hasSynced?: boolean } = {},
): void {
  const reply = answer(row.input, {
    view: viewOf(objects),
    settings: { ...plain, ...settings },
    hasSynced,
  });
  const { rcode, authority, additional, ...message } = reply?.message ?? ({} as DnsMessage);
  const records = reply?.alias?.records ?? message.answer;
  expect({
    rcode,
    answer: sorted(records.map(withoutNumbers)),
    authority: sorted(reply?.alias ? [] : authority.map(withoutNumbers)),
    additional: sorted(additional),
  }).toEqual({
    rcode: row.expect.rcode,
    answer: sorted(row.expect.answer.map(withoutNumbers)),
    authority: sorted(row.expect.authority),
    additional: sorted(row.expect.additional),
  });
}

/** The rows contain only the name of an SOA record. */
function withoutNumbers(record: DnsRecord): object {
  return record.type === 'SOA' ? { name: record.name, type: 'SOA' } : record;
}

function sorted(records: readonly object[]): readonly string[] {
  return records.map((record) => JSON.stringify(Object.entries(record).sort())).sort();
}

describe('Answers, upstream vectors', () => {
  test.each(table('serve', 44))('agrees with CoreDNS: %s', (_, row) => agrees(row, served));

  test.each(table('reverse', 11))('agrees with CoreDNS: %s', (_, row) =>
    agrees(row, reversed, { zones: reverseZones }),
  );

  test.each(table('unsynced', 1))('agrees with CoreDNS that has not synced: %s', (_, row) =>
    agrees(row, served, { hasSynced: false }),
  );

  test.each(table('spelling', 4))('agrees with CoreDNS on upper and lower case: %s', (_, row) =>
    agrees(row, served),
  );

  test.each(table('insecure', 7))('agrees with CoreDNS, pods insecure: %s', (_, row) =>
    agrees(row, served, { pods: 'insecure' }),
  );

  test.each(table('disabled', 2))('agrees with CoreDNS, pods disabled: %s', (_, row) =>
    agrees(row, served, { pods: 'disabled' }),
  );

  test.each(table('verified', 5))('agrees with CoreDNS, pods verified: %s', (_, row) =>
    agrees(row, served, { pods: 'verified' }),
  );
});
