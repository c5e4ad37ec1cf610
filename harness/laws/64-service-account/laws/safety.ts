import { deepEqual } from '../../../api/freeze.ts';
import type { KubeObject, Secret, ServiceAccount } from '../../../api/objects.ts';
import { secrets, serviceAccounts } from '../../../api/resource.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import { LEGACY } from '../../../contracts/service-accounts.ts';
import { type Law, lawAbout, type Violation } from '../../../testing/holds.ts';
import { DESCRIPTION } from '../environment.ts';
import { ACCOUNTS, PROCESSES, PUBLISHER, TOKENS } from '../scenario.ts';
import type { ServiceAccountHistory } from '../simulation.ts';

/** Longer than the time between the last look at an account and the write that follows. */
const THOUGHT_MS = 150;

/** Safety: a Secret is deleted only if its account does not exist. */
export const spared: Law<ServiceAccountHistory> = lawAbout(
  {
    name: 'a Secret that was deleted with its account',
    isMet: (history) => deletedSecrets(history).length > 0,
  },
  (history) =>
    deletedSecrets(history).flatMap((entry): Violation[] => {
      const { namespace, annotations = {} } = entry.object.metadata;
      const key = `${namespace}/${annotations[LEGACY.account]}`;
      const uid = annotations[LEGACY.accountUID] ?? '';
      const lived = livesOf(history, key).find(
        (each) =>
          (!uid || each.uid === uid) && each.fromMs < entry.atMs - THOUGHT_MS && each.toMs > entry.atMs,
      );
      return lived ? [violation(entry, `is deleted, although its account ${key} exists`)] : [];
    }),
);

const deletedSecrets = (history: ServiceAccountHistory): readonly JournalEntry<Secret>[] =>
  writesOf(history, TOKENS).filter(
    (entry): entry is JournalEntry<Secret> & JournalEntry =>
      entry.resource.plural === secrets.plural && entry.type === 'DELETED',
  );

/** Safety: a Secret gets the token of an account that exists, with the uid that it names. */
export const itsOwn: Law<ServiceAccountHistory> = lawAbout(
  { name: 'a token that a controller wrote', isMet: (history) => newTokens(history).length > 0 },
  (history) =>
    newTokens(history).flatMap((entry): Violation[] => {
      const { object } = entry;
      const { namespace, name, annotations = {} } = object.metadata;
      const account = annotations[LEGACY.account] ?? '';
      const uid = annotations[LEGACY.accountUID] ?? '';
      const named = entry.previous?.metadata.annotations?.[LEGACY.accountUID];
      const lives = livesOf(history, `${namespace}/${account}`).some(
        (each) => each.uid === uid && each.fromMs <= entry.atMs && each.toMs >= entry.atMs - THOUGHT_MS,
      );
      const claims = claimsOf(object);
      const expected = {
        iss: 'kubernetes/serviceaccount',
        sub: `system:serviceaccount:${namespace}:${account}`,
        'kubernetes.io/serviceaccount/namespace': namespace,
        'kubernetes.io/serviceaccount/secret.name': name,
        'kubernetes.io/serviceaccount/service-account.name': account,
        'kubernetes.io/serviceaccount/service-account.uid': uid,
      };
      if (!lives || (named && named !== uid)) {
        return [violation(entry, `gets a token of account ${account} ${uid}, which is not its own`)];
      }
      return deepEqual(claims, expected)
        ? []
        : [violation(entry, `gets a token with the claims ${JSON.stringify(claims)}`)];
    }),
);

const newTokens = (history: ServiceAccountHistory): readonly JournalEntry<Secret>[] =>
  writesOf(history, TOKENS).filter(
    (entry): entry is JournalEntry<Secret> & JournalEntry =>
      entry.resource.plural === secrets.plural &&
      entry.type === 'MODIFIED' &&
      !(entry.previous as Secret | undefined)?.data?.token,
  );

/** Safety: the controllers keep the data, labels and annotations of users. */
export const kept: Law<ServiceAccountHistory> = (history) =>
  PROCESSES.flatMap((process) => writesOf(history, process)).flatMap((entry): Violation[] => {
    if (entry.type !== 'MODIFIED' || !entry.previous) return [];
    const lost = [
      ...changed(entry.previous.metadata.labels, entry.object.metadata.labels),
      ...changed(entry.previous.metadata.annotations, entry.object.metadata.annotations).filter(
        (key) => key !== DESCRIPTION,
      ),
      ...lostData(entry, history.rootCA),
      ...lostReferences(entry),
    ];
    return lost.length > 0 ? [violation(entry, `loses or changes ${lost.join(', ')}`)] : [];
  });

/** Returns the keys of a Secret that a controller changed, without those that it may repair. */
function lostData({ resource, object, previous }: JournalEntry, rootCA: string): readonly string[] {
  if (resource.plural !== secrets.plural) return [];
  const { data = {} } = previous as Secret;
  return changed(data, (object as Secret).data).filter(
    (key) => key !== 'ca.crt' || data[key] === btoa(rootCA),
  );
}

/** Returns the references of an account that were removed without a reason: `other` never was a Secret. */
function lostReferences({ resource, object, previous }: JournalEntry): readonly string[] {
  if (resource.plural !== serviceAccounts.plural) return [];
  const left = (object as ServiceAccount).secrets ?? [];
  const lost = ((previous as ServiceAccount).secrets ?? []).filter(
    ({ name }) => name === 'other' && !left.some((each) => each.name === name),
  );
  return lost.map(({ name }) => `the reference to ${name}`);
}

type Texts = Readonly<Record<string, string>>;

/** Returns the keys whose value is not the same any more; an empty value may change. */
const changed = (before: Texts = {}, after: Texts = {}): readonly string[] =>
  Object.keys(before).filter((key) => before[key] && before[key] !== after[key]);

/** Safety: each controller creates and deletes only its own objects. */
export const modest: Law<ServiceAccountHistory> = (history) =>
  PROCESSES.flatMap((process) =>
    writesOf(history, process)
      .filter(
        ({ type, key, resource }) => !MAY[process]?.includes(`${type} ${resource.plural} ${nameOf(key)}`),
      )
      .map((entry) => violation(entry, `is written by ${process}: ${entry.type}`)),
  );

const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1);

const MAY: Readonly<Record<string, readonly string[]>> = {
  [ACCOUNTS]: ['ADDED serviceaccounts default'],
  [PUBLISHER]: ['ADDED configmaps kube-root-ca.crt', 'MODIFIED configmaps kube-root-ca.crt'],
  [TOKENS]: [
    ...['key', 'spare'].flatMap((name) => [`MODIFIED secrets ${name}`, `DELETED secrets ${name}`]),
    ...['builder', 'default'].map((name) => `MODIFIED serviceaccounts ${name}`),
  ],
};

interface Life {
  readonly uid: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Returns the times of all accounts of a name. */
function livesOf({ journal }: ServiceAccountHistory, key: string): readonly Life[] {
  const entries = journal.filter(
    (entry) => entry.resource.plural === serviceAccounts.plural && entry.key === key,
  );
  return entries
    .filter(({ type }) => type === 'ADDED')
    .map(({ object, atMs }) => {
      const { uid } = object.metadata;
      const end = entries.find((entry) => entry.type === 'DELETED' && entry.object.metadata.uid === uid);
      return { uid, fromMs: atMs, toMs: end?.atMs ?? Number.POSITIVE_INFINITY };
    });
}

const writesOf = ({ journal }: ServiceAccountHistory, process: string): readonly JournalEntry[] =>
  journal.filter(({ actor }) => actor === process);

function claimsOf({ data = {} }: Secret): unknown {
  try {
    return JSON.parse(atob(atob(data.token ?? '').split('.')[1] ?? ''));
  } catch {
    return data.token;
  }
}

function violation({ atMs, resource, key }: JournalEntry<KubeObject>, what: string): Violation {
  return { atMs, message: `${resource.plural}/${key} ${what}`, object: key };
}
