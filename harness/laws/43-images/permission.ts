import type { AuthConfig } from '../../contracts/node/cri/index.ts';
import type { Breach } from '../../testing/holds.ts';
import { answered, breach } from './answers.ts';
import { isPublic } from './catalogue.ts';
import { placeOf } from './credentials.ts';
import { accountOf, uidOf } from './objects.ts';
import {
  type AskRead,
  type CallRead,
  fullName,
  isThereThroughout,
  policyOf,
  type Reading,
  repositoryOf,
  staysOf,
} from './reading.ts';

/** ★ Which pods may use what is there. */

/** What has shown that it may have an image. */
interface Permission {
  readonly id: string;
  readonly repository: string;
  /** Absent: every pod of the node may. */
  readonly secret?: Proof;
}

/** A secret as far as it proves something. */
interface Proof {
  readonly uid: string;
  readonly account: string;
}

/** The secrets of a pod that speak of its image's registry. */
function proofsOf({ pod }: AskRead): readonly Proof[] {
  const repository = repositoryOf(pod.image);
  const [given = ''] = repository.split('/');
  return pod.secrets.flatMap((secret) =>
    secret.logins
      .filter(({ registry }) => {
        const { host } = placeOf(registry);
        return host === given || host.includes('*') || (host === 'index.docker.io' && given === 'docker.io');
      })
      .map((login) => ({ uid: uidOf(secret), account: JSON.stringify(accountOf(login)) })),
  );
}

function isAllowed(ask: AskRead, id: string, permissions: readonly Permission[]): boolean {
  const repository = repositoryOf(ask.pod.image);
  const proofs = proofsOf(ask);
  return permissions.some(
    (one) =>
      one.id === id &&
      one.repository === repository &&
      (!one.secret ||
        proofs.some(({ uid, account }) => uid === one.secret?.uid || account === one.secret?.account)),
  );
}

/** What the asks before this one have proved, whatever became of the kubelet since. */
function permissionsBefore(reading: Reading, ask: AskRead): readonly Permission[] {
  const permissions: Permission[] = [];
  for (const other of reading.asks) {
    // An answer under way may have let a secret in by now.
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
  const proofs = proofsOf(ask);
  if (pulled) {
    const auth = pulled.args[1] as AuthConfig | undefined;
    const account = JSON.stringify({ username: auth?.username, password: auth?.password });
    const used = auth ? proofs.filter((proof) => proof.account === account) : [];
    return used.length > 0 ? used.map((secret) => ({ id, repository, secret })) : [{ id, repository }];
  }
  if (ask.imageRef === undefined || !isAllowed(ask, id, known)) return [];
  return proofs.map((secret) => ({ id, repository, secret }));
}

/** Safety. No pod runs a private image that is there, unless it could have pulled it. */
export function verifies(reading: Reading): readonly Breach[] {
  return answered(reading).flatMap((ask) => {
    const { pod, imageRef, pulls, endedMs } = ask;
    if (imageRef === undefined || pulls.length > 0 || fullName(pod.image) === undefined) return [];
    if (isPublic(fullName(pod.image) ?? '') || needsNoProof(reading, ask, pullsInDoubt(reading, ask)))
      return [];
    if (isAllowed(ask, imageRef, permissionsBefore(reading, ask))) return [];
    return breach(
      endedMs,
      `the manager gave ${pod.name} the private image ${pod.image} without a pull, although none of the pod's credentials has ever pulled it`,
    );
  });
}

/**
 * The pulls after which an image is no longer there for all: those that began before the ask, and of which it is not known that they
 * failed. A pull that begins while a pod is asking may come too late for its answer.
 */
function pullsInDoubt({ asks }: Reading, { began }: AskRead): readonly CallRead[] {
  return asks.flatMap(({ pulls, givenUpMs }) =>
    pulls.filter((pull) => pull.began < began && (pull.error === undefined || givenUpMs !== undefined)),
  );
}

/**
 * Whether the policy lets each pod have what is there.
 *
 * @param pulls those that count, of all images
 */
function needsNoProof(reading: Reading, { pod }: AskRead, pulls: readonly CallRead[]): boolean {
  const { scenario } = reading.history;
  const { imagePullCredentialsVerificationPolicy: policy = 'NeverVerifyPreloadedImages' } =
    scenario.configuration;
  if (policy === 'NeverVerify') return true;
  if (policy === 'AlwaysVerify') return false;
  const name = fullName(pod.image) ?? '';
  if (policy === 'NeverVerifyAllowlistedImages') {
    return (scenario.configuration.preloadedImagesVerificationAllowlist ?? []).some((one) => {
      const bare = pod.image.replace(/[:@](?!.*\/).*$/, '');
      return one.endsWith('*') ? bare.startsWith(one.slice(0, -1)) : bare === one;
    });
  }
  const pulled = pulls.some(
    ({ args }) => repositoryOf((args[0] as { image: string }).image) === repositoryOf(name),
  );
  return !pulled && scenario.preloaded.includes(name);
}

/** Owed. What a pod may use and is there is used, and not pulled again. */
export function trusts(reading: Reading): readonly Breach[] {
  const { scenario } = reading.history;
  // What could not be written down, or read, may be asked for again.
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
    const earlier = reading.calls.filter((call) => call.verb === 'pullImage' && call.began < began);
    if (!needsNoProof(reading, ask, earlier) && !isAllowed(ask, stay.image.id, permissions)) return [];
    return breach(
      first?.beganMs ?? ask.endedMs,
      `the manager ${refused ? 'refused' : 'pulled again'} ${pod.image}, which is present and which ${pod.name} may use`,
    );
  });
}

/** A secret whose password was changed proves what it is, and no longer what its password was: a record has the newest one. */
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
