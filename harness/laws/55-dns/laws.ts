import type { DnsMessage } from '../../contracts/dns.ts';
import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import { type Answered, type DnsHistory, questionText } from './history.ts';
import { NamesHistory, serviceIn } from './oracle/object-history.ts';
import { describeAnswer } from './oracle/zone.ts';
import { OUTSIDE_ADDRESS } from './simulation.ts';

/** Liveness: eventually each name's answer matches the services, slices and namespaces. */
export const atRest: Law<DnsHistory> = (run) => {
  const { end, endMs } = run;
  const past = NamesHistory.of(run);
  return [...end.values()].flatMap(({ question, message, revision }): Violation[] => {
    const expected = past.at(revision).expected(question, OUTSIDE_ADDRESS);
    const said = describeAnswer(message);
    if (said === expected) return [];
    return [
      { atMs: endMs, message: `eventually ${questionText(question)} is ${said}, but should be ${expected}` },
    ];
  });
};

/** Safety: the server never denies a name that existed all the time. */
export const neverDenies: Law<DnsHistory> = lawAbout(
  {
    name: 'a name that existed before the name server, and that was queried at once',
    isMet: (run) => run.answers.some((answered) => !answered.hasSynced && isThere(run, answered)),
  },
  (run) =>
    run.answers.flatMap((answered): Violation[] => {
      const { atMs, question, message } = answered;
      if (message?.rcode !== 'NXDOMAIN' || !isThere(run, answered)) return [];
      return [{ atMs, message: `${questionText(question)} was denied, but existed all the time` }];
    }),
);

/** Did a name exist unchanged since the start of this incarnation of the name server? */
function isThere(run: DnsHistory, { question, floor, revision }: Answered): boolean {
  const past = NamesHistory.of(run);
  return (
    past.isSteady(question, floor, revision) &&
    past.at(revision).expected(question, OUTSIDE_ADDRESS).startsWith('NOERROR')
  );
}

/**
 * Safety: an unchanged name has its correct answer once the name server has synced; before that, the correct answer
 * or none.
 */
export const steady: Law<DnsHistory> = lawAbout(
  {
    name: 'a name that did not change while others did',
    isMet: (run) => run.answers.some(({ hasSynced, floor, revision }) => hasSynced && revision > floor),
  },
  (run) => {
    const past = NamesHistory.of(run);
    return run.answers.flatMap((answered): Violation[] => {
      const { atMs, question, message, hasSynced, floor, revision } = answered;
      if (!past.isSteady(question, floor, revision)) return [];
      const zone = past.at(revision);
      const expected = zone.expected(question, OUTSIDE_ADDRESS);
      const said = describeAnswer(message);
      if (said === expected) return [];
      if (!hasSynced && (message === undefined || message.rcode === 'SERVFAIL')) return [];
      // The target of an alias may not be known yet.
      if (!hasSynced && zone.isAlias(question.name)) return [];
      return [{ atMs, message: `${questionText(question)} is ${said}, but was ${expected} all the time` }];
    });
  },
);

/** Safety: each address in an answer belonged to this name, then or before. */
export const inventsNothing: Law<DnsHistory> = lawAbout(
  {
    name: 'an answer after endpoints have changed',
    isMet: ({ answers }) => answers.some(({ floor, revision }) => revision > floor),
  },
  (run) => {
    const past = NamesHistory.of(run);
    const until = new Map<number, ReadonlyMap<string, ReadonlySet<string>>>();
    const known = (revision: number): ReadonlyMap<string, ReadonlySet<string>> => {
      const there = until.get(revision) ?? past.addressesUpTo(revision);
      until.set(revision, there);
      return there;
    };
    return run.answers.flatMap(({ atMs, question, message, revision }): Violation[] => {
      const key = serviceIn(question.name);
      if (key === undefined || !message || message.answer.some(({ type }) => type === 'CNAME')) return [];
      const own = known(revision).get(key) ?? new Set();
      return addressesOf(message)
        .filter((address) => !own.has(address))
        .map((address) => ({
          atMs,
          message: `${questionText(question)} is ${address}, which it never was before`,
        }));
    });
  },
);

function addressesOf({ answer, additional }: DnsMessage): readonly string[] {
  return [...answer, ...additional].flatMap((record) => ('address' in record ? [record.address] : []));
}

/** Safety: after the server has synced, it never again answers that it does not know. */
export const knows: Law<DnsHistory> = (run) => {
  const synced = new Set<number>();
  const violations: Violation[] = [];
  for (const { atMs, question, message, hasSynced, floor } of run.answers) {
    if (hasSynced) synced.add(floor);
    if (hasSynced && message?.rcode === 'SERVFAIL') {
      violations.push({
        atMs,
        message: `the server has synced, but does not know ${questionText(question)}`,
      });
    }
  }
  const last = run.answers.at(-1);
  if (last && !last.hasSynced) {
    violations.push({ atMs: run.endMs, message: 'the server never synced' });
  }
  return violations;
};

/** Liveness: eventually the name of an address leads back to this address, if the service exists. */
export const thereAndBack: Law<DnsHistory> = lawAbout(
  {
    name: 'an address with a name',
    isMet: ({ end }) => [...end.values()].some(({ message }) => message?.answer[0]?.type === 'PTR'),
  },
  (run) =>
    [...run.end.values()].flatMap(({ question, message, revision }): Violation[] => {
      const { end, endMs } = run;
      const zone = NamesHistory.of(run).at(revision);
      const address = question.name.replace('.in-addr.arpa.', '').split('.').reverse().join('.');
      return (message?.answer ?? []).flatMap((record): Violation[] => {
        if (record.type !== 'PTR' || !zone.hasService(serviceIn(record.target) ?? '')) return [];
        const back = end.get(questionText({ name: record.target, type: 'A' }))?.message;
        if (back && addressesOf(back).includes(address)) return [];
        return [
          { atMs: endMs, message: `the name of ${address} is ${record.target}, which does not lead back` },
        ];
      });
    }),
);

/** Liveness: eventually each target of a port has its addresses, in the same answer and when it is queried. */
export const complete: Law<DnsHistory> = lawAbout(
  {
    name: 'a port with a target',
    isMet: ({ end }) => [...end.values()].some(({ message }) => message?.answer[0]?.type === 'SRV'),
  },
  ({ end, endMs }) =>
    [...end.values()].flatMap(({ question, message }): Violation[] =>
      (message?.answer ?? []).flatMap((record): Violation[] => {
        if (record.type !== 'SRV') return [];
        const addresses = addressesOf({
          ...(message as DnsMessage),
          answer: [],
          additional: (message as DnsMessage).additional.filter(({ name }) => name === record.target),
        });
        const asked = end.get(questionText({ name: record.target, type: 'A' }))?.message;
        const own = new Set(asked ? addressesOf(asked) : []);
        if (addresses.length > 0 && addresses.every((address) => own.has(address))) return [];
        const what =
          addresses.length > 0 ? `is reported at ${addresses.join(', ')}` : 'comes without an address';
        return [
          {
            atMs: endMs,
            message: `${questionText(question)}: ${record.target} ${what}, but is at ${[...own].join(', ')}`,
          },
        ];
      }),
    ),
);
