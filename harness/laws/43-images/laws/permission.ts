import type { AuthConfig } from '../../../contracts/node/cri/index.ts';
import type { Violation } from '../../../testing/holds.ts';
import { placeOf } from '../oracle/credentials.ts';
import {
  type AskRead,
  type CallRead,
  fullName,
  isThereThroughout,
  policyOf,
  type Reading,
  repositoryOf,
  staysOf,
} from '../oracle/reading.ts';
import { recordsAt } from '../oracle/records.ts';
import { secretName } from '../render/scenario.ts';
import { isCopy, isPublic } from '../scenario/catalogue.ts';
import { accountOf, uidOf } from '../simulation/objects.ts';
import { answered, violation } from './answers.ts';

/** ★ The pods that may use a present image. */

/** A proven access to an image. */
interface Permission {
  readonly id: string;
  readonly repository: string;
  /** Absent: every pod of the node has access. */
  readonly secret?: Proof;
  /** The pod that has proven it. */
  readonly by: string;
}

/** The part of a secret that proves access. */
interface Proof {
  readonly name: string;
  readonly uid: string;
  readonly account: string;
}

/** Returns the secrets of a pod for the registry of its image. */
function proofsOf({ pod }: AskRead): readonly Proof[] {
  const repository = repositoryOf(pod.image);
  const [given = ''] = repository.split('/');
  return pod.secrets.flatMap((secret) =>
    secret.logins
      .filter(({ registry }) => {
        const { host } = placeOf(registry);
        return host === given || host.includes('*') || (host === 'index.docker.io' && given === 'docker.io');
      })
      .map((login) => ({
        name: secretName(secret),
        uid: uidOf(secret),
        account: JSON.stringify(accountOf(login)),
      })),
  );
}

/** Explains why a pod may use an image; undefined if it may not. */
function whyAllowed(ask: AskRead, id: string, permissions: readonly Permission[]): string | undefined {
  const repository = repositoryOf(ask.pod.image);
  const proofs = proofsOf(ask);
  for (const { id: of, repository: where, secret, by } of permissions) {
    if (of !== id || where !== repository) continue;
    if (!secret) return `${by} pulled it without a secret of its own, so every pod of the node may`;
    for (const { name, uid, account } of proofs) {
      if (uid === secret.uid) return `${by} has used it with the same secret ${secret.name}`;
      if (account === secret.account)
        return `its secret ${name} has the credentials of ${secret.name}, with which ${by} has used it`;
    }
  }
  return undefined;
}

/** Returns the access that requests before this one have proven, also before a restart of the kubelet. */
function permissionsBefore(reading: Reading, ask: AskRead): readonly Permission[] {
  const permissions: Permission[] = [];
  for (const other of reading.asks) {
    // An unfinished request may have recorded its secret already.
    if (other === ask || other.began > (ask.ended ?? 0)) continue;
    permissions.push(...permissionsOf(reading, other, permissions));
  }
  return permissions;
}

function permissionsOf(reading: Reading, ask: AskRead, known: readonly Permission[]): readonly Permission[] {
  if (fullName(ask.pod.image) === undefined) return [];
  const repository = repositoryOf(ask.pod.image);
  const pulled = ask.pulls.find(({ result }) => result !== undefined);
  const at = pulled?.ended ?? ask.began;
  const [stay] = staysOf(reading, ask.pod.image, at, Math.max(at, ask.ended ?? at));
  if (!stay) return [];
  const { id } = stay.image;
  const by = ask.pod.name;
  const proofs = proofsOf(ask);
  if (pulled) {
    const auth = pulled.args[1] as AuthConfig | undefined;
    const account = JSON.stringify({ username: auth?.username, password: auth?.password });
    const used = auth ? proofs.filter((proof) => proof.account === account) : [];
    return used.length > 0
      ? used.map((secret) => ({ id, repository, secret, by }))
      : [{ id, repository, by }];
  }
  if (ask.imageRef === undefined || whyAllowed(ask, id, known) === undefined) return [];
  return proofs.map((secret) => ({ id, repository, secret, by }));
}

/** Safety. No pod gets a present private image unless it could have pulled it. */
export function verifies(reading: Reading): readonly Violation[] {
  return answered(reading).flatMap((ask) => {
    const { pod, imageRef, pulls, endedMs } = ask;
    if (imageRef === undefined || pulls.length > 0 || fullName(pod.image) === undefined) return [];
    const why = whyNoProof(reading, ask, {
      pulls: pullsInDoubt(reading, ask),
      copies: surePulls(reading, ask),
    });
    if (isPublic(fullName(pod.image) ?? '') || why !== undefined) return [];
    const permissions = permissionsBefore(reading, ask);
    if (whyAllowed(ask, imageRef, permissions) !== undefined) return [];
    return violation(
      endedMs,
      [
        `the manager gave ${pod.name} the private image ${pod.image} without a pull, although none of the pod's credentials has ever pulled it.`,
        `${pod.name} has ${pod.secrets.map(secretName).join(' and ') || 'no secret'}; the image was pulled or used with ${usedWith(permissions)}.`,
        ...recordsAt(reading, ask, imageRef),
      ].join('\n  '),
    );
  });
}

/**
 * Returns the pulls after which an image is not preloaded any more: pulls that started before the request and did not
 * certainly fail. A pull that starts during the request may come too late for its answer.
 */
function pullsInDoubt({ asks }: Reading, { began }: AskRead): readonly CallRead[] {
  return asks.flatMap(({ pulls, givenUpMs }) =>
    pulls.filter((pull) => pull.began < began && (pull.error === undefined || givenUpMs !== undefined)),
  );
}

/** Returns the successful pulls of requests that were answered before this one: each has left a record of its image. */
function surePulls({ asks }: Reading, { began }: AskRead): readonly CallRead[] {
  return asks.flatMap(({ pulls, imageRef, ended = Number.POSITIVE_INFINITY }) =>
    ended < began && imageRef !== undefined ? pulls.filter(({ result }) => result !== undefined) : [],
  );
}

function usedWith(permissions: readonly Permission[]): string {
  const uses = permissions.map(({ secret, by }) => `${secret?.name ?? 'credentials of the node'} (by ${by})`);
  return [...new Set(uses)].join(', ') || 'no secret so far';
}

/**
 * Explains why the policy lets each pod use the image; undefined if it does not.
 *
 * @param options - `pulls`: the pulls that count for the repository of the image, of all images; `copies`: those that count for
 * another name of the same image; `isInDoubt`: whether an intent without a pull may exist
 */
function whyNoProof(
  reading: Reading,
  { pod }: AskRead,
  {
    pulls,
    copies,
    isInDoubt = false,
  }: {
    readonly pulls: readonly CallRead[];
    readonly copies: readonly CallRead[];
    readonly isInDoubt?: boolean;
  },
): string | undefined {
  const { scenario } = reading.history;
  const { imagePullCredentialsVerificationPolicy: policy = 'NeverVerifyPreloadedImages' } =
    scenario.configuration;
  if (policy === 'NeverVerify') return 'the policy is NeverVerify';
  if (policy === 'AlwaysVerify') return undefined;
  const name = fullName(pod.image) ?? '';
  if (policy === 'NeverVerifyAllowlistedImages') {
    const bare = pod.image.replace(/[:@](?!.*\/).*$/, '');
    const entry = scenario.configuration.preloadedImagesVerificationAllowlist?.find((one) =>
      one.endsWith('*') ? bare.startsWith(one.slice(0, -1)) : bare === one,
    );
    return entry && `${entry} is on the allowlist, and matches ${bare} (* at its end matches any rest)`;
  }
  const pulled = pulls.some(
    ({ args }) => repositoryOf((args[0] as { image: string }).image) === repositoryOf(name),
  );
  const copied = copies.some(({ args }) =>
    isCopy(fullName((args[0] as { image: string }).image) ?? '', name),
  );
  return !pulled && !copied && !isInDoubt && scenario.preloaded.includes(name)
    ? 'it was preloaded, and no kubelet has pulled it since, so it is not verified'
    : undefined;
}

/** Liveness. The kubelet does not pull an image again that is on the node and that the pod may use. */
export function trusts(reading: Reading): readonly Violation[] {
  const { scenario } = reading.history;
  // After a failed write or read of a record, a further pull is allowed.
  const sure = scenario.faults.every(({ fault }) => fault === 'dies');
  return answered(reading).flatMap((ask) => {
    const { pod, began, pulls, refusal } = ask;
    if (!sure || fullName(pod.image) === undefined || policyOf(pod) === 'Always') return [];
    const [first] = pulls;
    const end = first?.began ?? ask.ended;
    const refused = refusal?.reason === 'ErrImageNeverPull';
    if (!first && !refused) return [];
    const [stay] = staysOf(reading, pod.image, began, began);
    if (!stay || !isThereThroughout(reading, pod.image, began, end)) return [];
    const before = reading.asks.filter(
      (other) => (other.ended ?? Number.POSITIVE_INFINITY) < began && other.givenUpMs === undefined,
    );
    const permissions = before
      .flatMap((other) =>
        other.ended !== undefined && other.ended > stay.from ? permissionsOf(reading, other, []) : [],
      )
      .map((permission) => withoutOldPassword(reading, permission));
    // A request that was given up may have recorded its intent, without a pull.
    const isInDoubt = reading.asks.some(
      (other) =>
        other.givenUpMs !== undefined &&
        other.began < (end ?? began) &&
        fullName(other.pod.image) === fullName(pod.image),
    );
    // A pull that starts during the request may have recorded its intent before.
    const earlier = reading.calls.filter((call) => call.verb === 'pullImage' && call.began < (end ?? began));
    const why =
      whyNoProof(reading, ask, { pulls: earlier, copies: earlier, isInDoubt }) ??
      whyAllowed(ask, stay.image.id, permissions);
    if (why === undefined) return [];
    return violation(
      first?.beganMs ?? ask.endedMs,
      [
        `the manager ${refused ? 'refused' : 'pulled again'} ${pod.image}, which is present and which ${pod.name} may use: ${why}.`,
        ...recordsAt(reading, ask, stay.image.id),
      ].join('\n  '),
    );
  });
}

/**
 * Removes an outdated password from a proof: the secret still proves access as an object, but the record has its newest
 * password.
 */
function withoutOldPassword({ asks }: Reading, permission: Permission): Permission {
  const { secret } = permission;
  if (!secret) return permission;
  const changed = asks.some(
    (ask) =>
      fullName(ask.pod.image) !== undefined &&
      proofsOf(ask).some(({ uid, account }) => uid === secret.uid && account !== secret.account),
  );
  return changed ? { ...permission, secret: { ...secret, account: '' } } : permission;
}
