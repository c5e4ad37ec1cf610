import { configMaps, namespaces, serviceAccounts } from '../../../api/resource.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import { type Law, lawAbout, type Violation } from '../../../testing/holds.ts';
import { CERTIFICATE } from '../environment.ts';
import { ACCOUNTS, PROCESSES } from '../scenario.ts';
import type { ServiceAccountHistory } from '../simulation.ts';

/** Liveness: in the end no obligation is pending. */
export const completes: Law<ServiceAccountHistory> = ({ restedMs, owed, leftMs }) =>
  restedMs !== undefined
    ? []
    : owed.map((due) => ({ atMs: leftMs, message: `the controllers have still to ${due}`, object: due }));

/** Liveness: without faults, a namespace has its account and its certificate within two seconds. */
export const prompt: Law<ServiceAccountHistory> = lawAbout(
  { name: 'a new namespace without a fault', isMet: (history) => newNamespaces(history).length > 0 },
  (history) =>
    newNamespaces(history).flatMap(({ atMs, key }): Violation[] => {
      const isLost = history.journal.some(
        (entry) =>
          isAbout(entry, namespaces.plural, key) && entry.type !== 'ADDED' && entry.atMs < atMs + PROMPT_MS,
      );
      if (isLost) return [];
      return [
        [serviceAccounts.plural, `${key}/default`],
        [configMaps.plural, `${key}/${CERTIFICATE}`],
      ].flatMap(([plural = '', name = '']) => {
        const made = history.journal.find(
          (entry) => isAbout(entry, plural, name) && entry.type === 'ADDED' && entry.atMs >= atMs,
        );
        if (made && made.atMs <= atMs + PROMPT_MS) return [];
        const message = `${plural}/${name} does not exist ${PROMPT_MS} ms after its namespace`;
        return [{ atMs: atMs + PROMPT_MS, message, object: name }];
      });
    }),
);

const PROMPT_MS = 2_000;

const newNamespaces = ({
  journal,
  isUndisturbed,
  restedMs = 0,
}: ServiceAccountHistory): readonly JournalEntry[] =>
  isUndisturbed
    ? journal.filter(
        ({ resource, type, atMs }) =>
          resource.plural === namespaces.plural &&
          type === 'ADDED' &&
          atMs > 0 &&
          atMs + PROMPT_MS < restedMs + PROMPT_MS,
      )
    : [];

/** Liveness: a controller tries a few times to create an object in a namespace that ends or is gone. */
export const givesUp: Law<ServiceAccountHistory> = ({ requests, journal }) => {
  // Upstream's controller of accounts tries again while its cache has a namespace that is gone.
  const refused = requests.filter(
    ({ actor, verb, outcome }) =>
      verb === 'create' && (outcome === 'Forbidden' || (outcome === 'NotFound' && actor !== ACCOUNTS)),
  );
  const kinds = [...new Set(refused.map(({ actor, object }) => `${actor} ${object}`))];
  return kinds.flatMap((kind): Violation[] => {
    const all = refused.filter(({ actor, object }) => `${actor} ${object}` === kind);
    const name = kind.slice(kind.indexOf('/') + 1);
    const causes = journal.filter(
      ({ key, actor }) => (key === name || name.startsWith(`${key}/`)) && !PROCESSES.includes(actor as never),
    );
    const last = all.at(-1);
    if (!last || all.length <= causes.length + ATTEMPTS_MAX) return [];
    const message = `${kind} was tried ${all.length} times, although its namespace ends or is gone`;
    return [{ atMs: last.atMs, message, object: name }];
  });
};

/** A process that starts looks at each namespace, and a fault can cause a few starts. */
const ATTEMPTS_MAX = 5;

/** Liveness: when no obligation is pending, no write is sent, not even by a controller that restarts. */
export const quiet: Law<ServiceAccountHistory> = ({ requests, restedMs = Number.POSITIVE_INFINITY }) =>
  requests
    .filter(({ verb, atMs, outcome }) => WRITES.has(verb) && outcome === 'ok' && atMs > restedMs + LATE_MS)
    .map(({ atMs, actor, verb, object = '' }) => ({
      atMs,
      message: `${actor} sends ${verb} ${object}, although everything was correct`,
      object,
    }));

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

/** Requests from before the rest may still be in flight, and references may be removed. */
const LATE_MS = 3_000;

/** Liveness: the apiserver accepts exactly the tokens that a Secret still holds. */
export const valid: Law<ServiceAccountHistory> = lawAbout(
  { name: 'a token that a controller wrote', isMet: ({ reviewed }) => reviewed.length > 0 },
  ({ reviewed, restedMs, leftMs }) =>
    restedMs === undefined
      ? []
      : reviewed.flatMap(({ secret, isHeld, user }): Violation[] => {
          if (isHeld === (user !== undefined)) return [];
          const message = isHeld
            ? `the apiserver rejects the token of Secret ${secret}`
            : `the apiserver accepts a token of Secret ${secret} for ${user}, which no Secret holds any more`;
          return [{ atMs: leftMs, message, object: secret }];
        }),
);

const isAbout = ({ resource, key }: JournalEntry, plural: string, name: string): boolean =>
  resource.plural === plural && key === name;
