import type { WebhookTransport } from '../../../contracts/admission/index.ts';
import type { Simulation } from '../../../sim/index.ts';
import type { Call, Phase } from '../history.ts';
import {
  type AnswerPlan,
  type Breakage,
  falseWarningOf,
  type HookPlan,
  hookOf,
  NOTE,
  type PatchPlan,
  warningOf,
} from '../scenario/hooks.ts';

/** The servers of all webhooks of a scenario, as one apiserver reaches them. */
export function serversOf(
  sim: Simulation,
  hooks: readonly HookPlan[],
  noteCall: (call: Call) => void,
): WebhookTransport {
  return {
    send(config, review, { timeoutSeconds, signal }) {
      const hook = hookOf(config);
      const sent = JSON.parse(JSON.stringify(review)) as typeof review;
      const call: Call = { hook, startMs: sim.elapsedMs, review: sent, timeoutSeconds };
      noteCall(call);
      const { answer } = hooks[hook] as HookPlan;
      return new Promise((resolve, reject) => {
        let isOver = false;
        const end = (settle: () => void): void => {
          if (isOver) return;
          isOver = true;
          call.endMs = sim.elapsedMs;
          settle();
        };
        const abort = (): void =>
          end(() => {
            call.isAborted = true;
            reject(signal.reason as Error);
          });
        if (signal.aborted) return abort();
        signal.addEventListener('abort', abort, { once: true });
        if (answer.is === 'hang') return;
        const afterMs = ('afterMs' in answer ? answer.afterMs : undefined) ?? 1;
        sim.schedule(afterMs, `hook-${hook}`, 'answer', () =>
          end(() => {
            try {
              resolve(answerTo(call, answer));
            } catch (error) {
              reject(error as Error);
            }
          }),
        );
      });
    },
  };
}

/** Returns the body of the answer. @throws Error when the plan says so */
function answerTo(call: Call, answer: Exclude<AnswerPlan, { readonly is: 'hang' }>): unknown {
  const uid = call.review.request?.uid;
  const respond = (response: object): object => ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid, ...response },
  });
  const note = { auditAnnotations: { [NOTE]: 'yes' } };
  const warning = warningOf(answer, call.hook);
  const warnings = { ...note, ...(warning === undefined ? {} : { warnings: [warning] }) };
  switch (answer.is) {
    case 'allow':
      return respond({ allowed: true, ...warnings });
    case 'deny': {
      const { code, message, reason, isBare } = answer;
      const status = { ...(code && { code }), ...(message && { message }), ...(reason && { reason }) };
      const verdict = isBare ? {} : { allowed: false };
      return respond({ ...verdict, ...(Object.keys(status).length > 0 ? { status } : {}), ...warnings });
    }
    case 'patch': {
      const patch = patchFor(answer.patch, call.review.request?.object ?? {});
      call.patch = patch;
      return respond({
        allowed: true,
        patch: btoa(JSON.stringify(patch)),
        patchType: 'JSONPatch',
        ...warnings,
      });
    }
    case 'broken':
      return brokenAnswer(answer.how, call, respond);
  }
}

const SOME_PATCH = btoa('[{"op":"add","path":"/metadata/labels","value":{"broken":"yes"}}]');

function brokenAnswer(how: Breakage, { hook, review }: Call, respond: (response: object) => object): unknown {
  const uid = review.request?.uid;
  const allowed = { allowed: true, warnings: [falseWarningOf(hook)] };
  switch (how) {
    case 'wrong uid':
      return respond({ ...allowed, uid: `${uid}-another` });
    case 'no uid':
      return { ...respond({}), response: allowed };
    case 'empty uid':
      return respond({ ...allowed, uid: '' });
    case 'no response':
      return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
    case 'wrong kind':
      return { ...respond(allowed), kind: 'TokenReview' };
    case 'wrong version':
      return { ...respond(allowed), apiVersion: 'admission.k8s.io/v2' };
    case 'text':
      return 'welcome';
    case 'null':
      return null;
    case 'status 500':
      throw new Error('the server is out of order');
    case 'no patch type':
      return respond({ ...allowed, patch: SOME_PATCH });
    case 'only patch type':
      return respond({ ...allowed, patchType: 'JSONPatch' });
    case 'another patch type':
      return respond({ allowed: true, patch: SOME_PATCH, patchType: 'MergePatch' });
    case 'no JSON':
      return respond({ allowed: true, patch: btoa('no JSON'), patchType: 'JSONPatch' });
    case 'another version':
      throw new Error('the webhook does not understand the review');
    case 'unasked patch':
      return respond({ ...allowed, patch: SOME_PATCH, patchType: 'JSONPatch' });
  }
}

interface AnyObject {
  readonly metadata?: {
    readonly name?: string;
    readonly generateName?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: {
    readonly containers?: readonly { readonly name: string }[];
    readonly restartPolicy?: string;
    readonly type?: string;
    readonly tolerations?: readonly unknown[];
    readonly volumes?: readonly { readonly name: string }[];
  };
}

/** Returns the patch of a webhook for an object. */
function patchFor(plan: PatchPlan, object: AnyObject): readonly unknown[] {
  const { metadata = {}, spec = {} } = object;
  const labelled = (key: string, value: string): readonly unknown[] =>
    metadata.labels
      ? [{ op: 'add', path: `/metadata/labels/${key}`, value }]
      : [{ op: 'add', path: '/metadata/labels', value: { [key]: value } }];
  switch (plan.to) {
    case 'label':
      return labelled(plan.key, plan.value);
    case 'unlabel':
      return metadata.labels?.[plan.key] === undefined
        ? []
        : [{ op: 'remove', path: `/metadata/labels/${plan.key}` }];
    case 'flip':
      return labelled(plan.key, metadata.labels?.[plan.key] === 'x' ? 'y' : 'x');
    case 'count': {
      const count = Number(metadata.annotations?.count ?? 0) + 1;
      return metadata.annotations
        ? [{ op: 'add', path: '/metadata/annotations/count', value: String(count) }]
        : [{ op: 'add', path: '/metadata/annotations', value: { count: String(count) } }];
    }
    case 'inject':
      return !spec.containers || spec.containers.some(({ name }) => name === 'injected')
        ? []
        : [{ op: 'add', path: '/spec/containers/-', value: { name: 'injected', image: 'proxy' } }];
    case 'share': {
      if (!spec.containers || spec.volumes?.some(({ name }) => name === 'shared')) return [];
      const volume = { name: 'shared', configMap: { name: 'c' } };
      return spec.volumes
        ? [{ op: 'add', path: '/spec/volumes/-', value: volume }]
        : [{ op: 'add', path: '/spec/volumes', value: [volume] }];
    }
    case 'intolerance':
      return spec.tolerations ? [{ op: 'remove', path: '/spec/tolerations' }] : [];
    case 'undefault':
      if (spec.restartPolicy) return [{ op: 'remove', path: '/spec/restartPolicy' }];
      return spec.type ? [{ op: 'remove', path: '/spec/type' }] : [];
    case 'same': {
      const field = metadata.name ? 'name' : 'generateName';
      return metadata[field] ? [{ op: 'add', path: `/metadata/${field}`, value: metadata[field] }] : [];
    }
    case 'nothing':
      return [];
    case 'misfit':
      return [{ op: 'remove', path: '/metadata/labels/missing/deeper' }];
    case 'nonsense':
      return [{ op: 'add', path: '/metadata', value: 'nonsense' }];
  }
}

/** Returns the open phase that sent a review. */
export function senderOf(open: Iterable<Phase>, { review: { request } }: Call): Phase | undefined {
  for (const phase of open) {
    const { user, operation, resource, subresource, name, namespace } = phase.attributes;
    if (request?.userInfo?.uid !== user.uid || request?.operation !== operation) continue;
    if (user.uid?.startsWith('request-')) return phase;
    const isSame =
      (request.requestResource ?? request.resource)?.resource === resource.plural &&
      (request.subResource ?? '') === subresource &&
      (request.name ?? '') === name &&
      (request.namespace ?? '') === namespace;
    if (isSame) return phase;
  }
  return undefined;
}
