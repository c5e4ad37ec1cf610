import type { AuthConfig } from '../../../contracts/node/cri/index.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { AskingPod } from '../history.ts';
import { loginsFor, whyLogins } from '../oracle/credentials.ts';
import {
  type AskRead,
  type CallRead,
  fullName,
  isThereThroughout,
  policyOf,
  type Reading,
  staysOf,
} from '../oracle/reading.ts';
import { sayLogin } from '../render/scenario.ts';
import type { Login } from '../scenario/index.ts';
import { accountOf } from '../simulation/objects.ts';

/** The answers of a manager to a pod: images and refusals. */

const PULL_REASONS = ['ErrImagePull', 'RegistryUnavailable', 'SignatureValidationFailed'];

/** Returns the requests that were answered before their pod was deleted. */
export function answered({
  asks,
}: Reading): readonly (AskRead & { readonly ended: number; readonly endedMs: number })[] {
  return asks.filter(
    (ask): ask is AskRead & { ended: number; endedMs: number } =>
      ask.ended !== undefined && ask.givenUpMs === undefined,
  );
}

/** Safety. An image is pulled if the policy requires a pull, and only then. */
export function followsPolicy(reading: Reading): readonly Violation[] {
  return reading.asks.flatMap((ask) => {
    const { pod, began, pulls } = ask;
    const end = ask.ended ?? reading.history.entries.length;
    const [first] = pulls;
    const policy = policyOf(pod);
    if (first && policy === 'Never')
      return violation(
        first.beganMs,
        `the manager pulled ${pod.image} for ${pod.name}, whose imagePullPolicy is Never`,
      );
    if (first && fullName(pod.image) === undefined)
      return violation(first.beganMs, `the manager pulled ${pod.image}, which is not a valid image name`);
    if (
      first &&
      policy === 'IfNotPresent' &&
      isThereThroughout(reading, pod.image, began, first.began) &&
      !reading.history.scenario.configuration.imagePullCredentialsVerificationPolicy?.startsWith('Always') &&
      trustsPresent(reading)
    ) {
      return violation(
        first.beganMs,
        `the manager pulled ${pod.image} for ${pod.name}, although the image is present and the policy is IfNotPresent${whyPolicy(pod)}`,
      );
    }
    const other = pulls.find((pull) => fullName(imageOf(pull)) !== fullName(pod.image));
    if (other)
      return violation(
        other.beganMs,
        `the manager pulled ${imageOf(other)} for ${pod.name}, which requests ${pod.image}`,
      );
    if (ask.imageRef === undefined || ask.ended === undefined) return [];
    if (policy === 'Always' && !pulls.some(({ result }) => result !== undefined)) {
      const stray = podlessPull(reading, ask);
      return stray
        ? violation(stray.beganMs, podless(stray))
        : violation(
            ask.endedMs,
            `the manager gave ${pod.name} the image ${pod.image} without a pull, although its policy is Always${whyPolicy(pod)}`,
          );
    }
    const pulled = pulls.at(-1)?.result;
    if (pulled !== undefined && pulled !== ask.imageRef)
      return violation(
        ask.endedMs,
        `the manager pulled ${pulled} for ${pod.name}, but returned ${ask.imageRef}`,
      );
    if (pulled !== undefined) return [];
    if (staysOf(reading, pod.image, began, end).some(({ image }) => image.id === ask.imageRef)) return [];
    return violation(
      ask.endedMs,
      `the manager gave ${pod.name} the image ${ask.imageRef}, which is not ${pod.image} on this node`,
    );
  });
}

/** Explains the policy of a pod that has none. */
function whyPolicy({ policy }: AskingPod): string {
  return policy
    ? ''
    : ', the default for an image whose tag is latest or missing; for any other it is IfNotPresent';
}

/** Returns a pull of this image during a request, if the pull names no pod: it may belong to the request. */
export function podlessPull(
  { calls }: Reading,
  { incarnation, pod, began, ended = Infinity }: AskRead,
): CallRead | undefined {
  return calls.find(
    (call) =>
      call.verb === 'pullImage' &&
      call.incarnation === incarnation &&
      call.args[2] === undefined &&
      call.began > began &&
      call.began < ended &&
      fullName(imageOf(call)) === fullName(pod.image),
  );
}

/** Returns the message about a pull that names no pod. */
export function podless(call: CallRead): string {
  return `the manager pulled ${imageOf(call)} for no pod: pass the pod's sandbox config to pullImage as its third argument`;
}

function imageOf({ args }: CallRead): string {
  return (args[0] as { image: string }).image;
}

/** Whether every pod may use every image on the node. */
export function trustsPresent({ history }: Reading): boolean {
  return history.scenario.configuration.imagePullCredentialsVerificationPolicy === 'NeverVerify';
}

/** Safety. Each refusal has the reason and the message of its cause. */
export function rightReason(reading: Reading): readonly Violation[] {
  return answered(reading).flatMap((ask) => {
    const { refusal, pod } = ask;
    const invalid = fullName(pod.image) === undefined;
    if (!refusal)
      return invalid
        ? violation(
            ask.endedMs,
            `the manager accepted ${JSON.stringify(pod.image)}, which is not a valid image name`,
          )
        : [];
    const wanted = invalid ? nameRefusal(ask) : wantedRefusal(reading, ask);
    if (typeof wanted === 'string') {
      const stray = podlessPull(reading, ask);
      if (stray) return violation(stray.beganMs, podless(stray));
      return violation(ask.endedMs, `the manager refused ${pod.name} with ${refusal.reason}, ${wanted}`);
    }
    if (wanted.some((one) => one.reason === refusal.reason && one.message === refusal.message)) return [];
    const [first] = wanted;
    return violation(
      ask.endedMs,
      `the manager refused ${pod.name} with ${refusal.reason} "${refusal.message}"; expected ${first?.reason} "${first?.message}"`,
    );
  });
}

type Refusal = NonNullable<AskRead['refusal']>;

function nameRefusal({ pod, refusal }: AskRead): readonly Refusal[] | string {
  const start = `Failed to apply default image tag "${pod.image}": couldn't parse image name ${JSON.stringify(pod.image)}: `;
  if (refusal?.reason !== 'InvalidImageName')
    return `although "${pod.image}" is not a valid image name; expected InvalidImageName`;
  if (refusal.message.startsWith(start) && refusal.message.includes('invalid')) return [refusal];
  return [{ reason: 'InvalidImageName', message: `${start}invalid …` }];
}

/** Returns the correct refusals, or the reason why this one cannot be correct. */
function wantedRefusal(
  reading: Reading,
  ask: AskRead & { readonly ended: number },
): readonly Refusal[] | string {
  const { pod, refusal, pulls, began, ended } = ask;
  const { image } = pod;
  const policy = policyOf(pod);
  switch (refusal?.reason) {
    case 'InvalidImageName':
      return `although "${image}" is a valid image name`;
    case 'ErrImageNeverPull':
      if (policy !== 'Never') return `although its policy is ${policy}`;
      if (trustsPresent(reading) && isThereThroughout(reading, image, began, ended))
        return `although ${image} is present, and with imagePullCredentialsVerificationPolicy NeverVerify every pod may use a present image, with or without a record of its pull${lastError(reading, ask)}`;
      return [
        {
          reason: 'ErrImageNeverPull',
          message: `Container image "${image}" is not present with pull policy of Never`,
        },
      ];
    case 'ImageInspectError': {
      if (policy === 'Always') return 'although its policy is Always, which needs no imageStatus';
      const failed = failuresIn(reading, ask, ['imageStatus', 'listImages']);
      if (failed.length === 0) return 'although no imageStatus or listImages failed';
      return failed.map((text) => ({
        reason: 'ImageInspectError',
        message: `Failed to inspect image "": ${text}`,
      }));
    }
    case 'ImagePullBackOff': {
      // Another law checks the times of the back-off; this one checks that the message contains the failure before.
      const failures = previousFailures(reading, ask);
      if (failures.length === 0) return 'although no pull failed for it before';
      return failures.map((before) => ({
        reason: 'ImagePullBackOff',
        message: `Back-off pulling image "${image}": ${before.reason}: ${before.message}`,
      }));
    }
    case 'ErrImagePull':
    case 'RegistryUnavailable':
    case 'SignatureValidationFailed': {
      if (pulls.length > 0) {
        if (pulls.some(({ result }) => result !== undefined))
          return `"${refusal.message}", although the pull succeeded: a failure after that, such as that of imageStatus, must not refuse the pod`;
        return [pullRefusal(image, textOf(pulls))];
      }
      if (isThrottled(refusal)) return [{ reason: 'ErrImagePull', message: 'pull QPS exceeded' }];
      if (pod.isUnreadable) {
        if (policy === 'Never') return 'although its policy is Never, which needs no secret';
        if (needsNoSecret(reading, ask))
          return `although ${image} is present, and a present image needs no secret here`;
        return [UNREADABLE];
      }
      const failed = failuresIn(reading, ask, ['writeFile', 'rename', 'mkdirAll', 'readFile']);
      if (failed.some((text) => refusal.message.includes(text))) return [refusal];
      const [inspection] = failuresIn(reading, ask, ['imageStatus', 'listImages']);
      return inspection === undefined
        ? 'although the manager pulled nothing for it'
        : `although the manager pulled nothing for it: imageStatus or listImages failed with "${inspection}"; expected ImageInspectError`;
    }
    default:
      return 'which is not a valid reason: throw an ImageError with one of its reasons';
  }
}

/** Describes the last error of a call during a request. Empty if no call failed. */
function lastError({ calls }: Reading, { incarnation, began, ended = began }: AskRead): string {
  const failed = calls.findLast(
    (call) =>
      call.incarnation === incarnation &&
      call.error !== undefined &&
      call.began > began &&
      (call.ended ?? ended) < ended,
  );
  return failed ? `. Before the refusal its ${failed.verb} failed with "${failed.error}"` : '';
}

/** The refusal of a pod with a secret that cannot be read. */
const UNREADABLE: Refusal = {
  reason: 'ErrImagePull',
  message: 'unable to parse docker config: it is not valid JSON',
};

/** Whether the pod may use the present image without a secret. */
function needsNoSecret(reading: Reading, { pod, began, ended = 0 }: AskRead): boolean {
  return (
    policyOf(pod) === 'IfNotPresent' &&
    trustsPresent(reading) &&
    isThereThroughout(reading, pod.image, began, ended)
  );
}

/** Whether a pull failed because it exceeded the rate limit. */
export function isThrottled(refusal: AskRead['refusal']): boolean {
  return refusal?.message === 'pull QPS exceeded';
}

function failuresIn({ calls }: Reading, ask: AskRead, verbs: readonly string[]): readonly string[] {
  const end = ask.ended ?? Number.POSITIVE_INFINITY;
  return calls.flatMap(({ incarnation, verb, error, ended = Number.POSITIVE_INFINITY }) =>
    incarnation === ask.incarnation &&
    verbs.includes(verb) &&
    error !== undefined &&
    ended > ask.began &&
    ended < end
      ? [error]
      : [],
  );
}

/** Returns the last refusal of a pull of this image for this pod by this kubelet. */
export function previousFailures(
  { asks }: Reading,
  { incarnation, pod, began }: AskRead,
): readonly Refusal[] {
  const before = asks.findLast(
    (other) =>
      other.incarnation === incarnation &&
      other.pod.uid === pod.uid &&
      other.pod.image === pod.image &&
      !other.pod.isUnreadable &&
      other.began < began &&
      other.refusal !== undefined &&
      PULL_REASONS.includes(other.refusal.reason),
  );
  return before?.refusal ? [before.refusal] : [];
}

/** Returns the error text of failed pulls, each text once. */
export function textOf(pulls: readonly CallRead[]): string {
  const texts = [...new Set(pulls.map(({ error = '' }) => error))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

function pullRefusal(image: string, text: string): Refusal {
  const special = {
    RegistryUnavailable: 'registry is unavailable',
    SignatureValidationFailed: 'signature validation failed',
  };
  for (const [reason, why] of Object.entries(special)) {
    if (!text.startsWith(reason)) continue;
    return {
      reason,
      message: `image pull failed for ${image} because the ${why}${text.slice(reason.length)}`,
    };
  }
  return { reason: 'ErrImagePull', message: text };
}

/**
 * Safety. A pull tries the credentials of the pod, most specific first, then those of the node; without any it is anonymous.
 */
export function triesEach(reading: Reading): readonly Violation[] {
  const { node } = reading.history.scenario;
  return reading.asks.flatMap((ask) => {
    const { pod, pulls, refusal } = ask;
    const [first] = pulls;
    if (!first || fullName(pod.image) === undefined) return [];
    const wanted = loginsFor(pod, node);
    const order = wanted.map(loginName).join(', then ') || 'no pull';
    const why = whyLogins(pod, node)
      .map((line) => `\n  ${line}`)
      .join('');
    for (const [i, pull] of pulls.entries()) {
      if (i < wanted.length && isAs(pull, wanted[i])) continue;
      const attempt = `attempt ${i + 1} to pull ${pod.image} for ${pod.name} was as ${whoOf(pull)}`;
      const after = i > 0 && i >= wanted.length ? `, and no attempt after ${i === 1 ? 'that' : 'those'}` : '';
      return violation(pull.beganMs, `${attempt}; expected ${order}${after}.${why}`);
    }
    const failed = refusal && PULL_REASONS.includes(refusal.reason) && ask.givenUpMs === undefined;
    if (!failed || pulls.length === wanted.length || ask.ended === undefined) return [];
    return violation(
      ask.endedMs,
      `the manager gave up on ${pod.image} for ${pod.name} after ${pulls.length} of ${wanted.length} credentials; expected ${order}.${why}`,
    );
  });
}

function isAs({ args }: CallRead, login: Login | undefined): boolean {
  const auth = args[1] as AuthConfig | undefined;
  if (login === undefined) return auth === undefined || Object.values(auth).every((value) => !value);
  const { username, password } = accountOf(login);
  return auth?.username === username && auth.password === password;
}

function loginName(login: Login | undefined): string {
  return login ? sayLogin(login) : 'anonymous';
}

function whoOf({ args }: CallRead): string {
  return (args[1] as AuthConfig | undefined)?.username || 'anonymous';
}

export function violation(atMs: number | undefined, message: string): readonly Violation[] {
  return [{ atMs: atMs ?? 0, message }];
}
