import type { KubeObject } from '../../api/objects.ts';
import type { Credential, WebhookStep } from '../../apiserver/request-steps.ts';
import type { Attributes, User } from '../../contracts/access/index.ts';
import type { WebhookResponse } from '../../contracts/admission/index.ts';
import type {
  RequestDetails,
  RequestLine,
  Stage,
  StageDetails,
  WebhookCallDetails,
} from '../protocol/details.ts';
import { changesBetween } from './changes.ts';
import type { RequestRecord } from './request-log.ts';

/** Returns a request and its way through an apiserver. @param revision the revision of its write, if it wrote */
export function requestDetailsOf(
  record: RequestRecord,
  { zeroMs, revision }: { readonly zeroMs: number; readonly revision?: number | undefined },
): RequestDetails {
  const { number, actor, attributes, atMs } = record;
  const stages = stagesOf(record, revision);
  const last = stages.at(-1) as StageDetails;
  const isRefused = last.verdict === 'refused';
  return {
    kind: 'request',
    number,
    atMs: atMs - zeroMs,
    title: `${actor}: ${wordsOf(attributes)}`,
    stages,
    notReached: isRefused ? ofRequest(record).slice(ofRequest(record).indexOf(last.stage) + 1) : [],
  };
}

/** The stages that a request passes if nobody refuses it. */
function ofRequest({ attributes: { verb } }: RequestRecord): readonly Stage[] {
  const before: readonly Stage[] = ['request info', 'authentication', 'impersonation', 'authorization'];
  if (READS.has(verb)) return [...before, 'storage'];
  return [...before, 'mutating admission', 'validation', 'validating admission', 'storage'];
}

/** Returns a request in one line. */
export function requestLineOf(
  { number, attributes, atMs, steps }: RequestRecord,
  zeroMs: number,
): RequestLine {
  const end = steps.at(-1)?.step;
  return {
    number,
    atMs: atMs - zeroMs,
    text: wordsOf(attributes),
    ...(end?.step === 'refused' && { refusal: end.error.reason }),
  };
}

/** Returns `create pods in default`, `update nodes/status node-1`. */
function wordsOf({ verb, resource, subresource, namespace, name }: Attributes): string {
  const whole = subresource ? `${resource}/${subresource}` : resource;
  const own = name && name !== namespace ? ` ${name}` : '';
  const where = namespace && resource !== 'namespaces' ? ` in ${namespace}` : '';
  return `${verb} ${whole}${own}${where}`;
}

function stagesOf(record: RequestRecord, revision: number | undefined): readonly StageDetails[] {
  const { attributes, steps, atMs: beganMs } = record;
  const stages: StageDetails[] = [
    { stage: 'request info', verdict: 'passed', afterMs: 0, text: requestInfo(attributes) },
  ];
  /** The phase of admission that has begun and not ended. */
  let begun: { readonly stage: Stage; readonly atMs: number } | undefined;
  let calls: WebhookCallDetails[] = [];
  for (const { step, atMs } of steps) {
    const add = (stage: Stage, text: string, more: Partial<StageDetails> = {}): void => {
      const webhooks = calls.length > 0 && { webhooks: calls };
      stages.push({ stage, verdict: 'passed', afterMs: atMs - beganMs, text, ...webhooks, ...more });
      [begun, calls] = [undefined, []];
    };
    switch (step.step) {
      case 'authentication':
        add('authentication', `${userWords(step.user)}. ${credentialWords[step.credential]}`);
        break;
      case 'impersonation':
        add('impersonation', `acts as ${userWords(step.as)}`);
        break;
      case 'authorization':
        add('authorization', step.decision.reason || 'allowed');
        break;
      case 'admission begins':
        begun = { stage: `${step.phase} admission`, atMs };
        break;
      case 'webhook':
        calls.push(callOf(step));
        break;
      case 'mutating admission': {
        const changes = changesIn(step.before, step.after);
        add('mutating admission', changedWords(changes.length), changes.length > 0 ? { changes } : {});
        break;
      }
      case 'validation':
        add('validation', 'The object is valid');
        break;
      case 'validating admission':
        add('validating admission', 'Each plugin allows it');
        break;
      case 'stored':
        add('storage', storedWords(record, step.object.metadata.resourceVersion));
        break;
      case 'superseded':
        add('validating admission', 'Another write of the object was faster: the request starts again', {
          verdict: 'again',
        });
        break;
      case 'refused': {
        const { error, at } = step;
        const stage = at ?? begun?.stage ?? (ABOUT_STORED.has(error.reason) ? 'storage' : 'validation');
        add(stage, `${error.code} ${error.reason}: ${error.message}`, { verdict: 'refused' });
        break;
      }
      case 'answered':
        if (stages.at(-1)?.stage !== 'storage') add('storage', answeredWords(record, revision));
    }
  }
  const waiting = begun as { readonly stage: Stage; readonly atMs: number } | undefined;
  if (waiting) {
    const { stage, atMs } = waiting;
    const text = 'It waits for a decision';
    stages.push({ stage, verdict: 'pending', afterMs: atMs - beganMs, text, webhooks: calls });
  }
  return stages;
}

/** Failures that depend on the stored objects. */
const ABOUT_STORED: ReadonlySet<string> = new Set([
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Expired',
]);

/** Returns the request as HTTP sends it, and the attributes that follow from it. */
function requestInfo(attributes: Attributes): string {
  const { verb, apiGroup, apiVersion, namespace, resource, subresource, name } = attributes;
  const isNamespace = resource === 'namespaces';
  const parts = [
    apiGroup ? `/apis/${apiGroup}` : '/api',
    apiVersion,
    ...(namespace && !isNamespace ? ['namespaces', namespace] : []),
    resource,
    ...[name, subresource].filter(Boolean),
  ];
  return `${METHODS[verb] ?? 'GET'} ${parts.join('/')}${verb === 'watch' ? '?watch=true' : ''}: the verb ${verb} of ${resource}${subresource && `/${subresource}`} in API group "${apiGroup}"`;
}

/** The methods of verbs that do not read. */
const METHODS: Readonly<Record<string, string>> = {
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

const credentialWords: Readonly<Record<Credential, string>> = {
  connection: 'Known by its connection: the simulated network has no certificates',
  'bearer token': 'Proved by a bearer token of its service account',
  authorized: 'A front end has checked its credentials and its rights',
};

function userWords({ name, groups }: User): string {
  return groups.length === 0 ? name : `${name}, in ${groups.join(', ')}`;
}

function changesIn(before: KubeObject | undefined, after: KubeObject | undefined) {
  return before && after && before !== after ? changesBetween(before, after) : [];
}

function changedWords(count: number): string {
  if (count === 0) return 'No plugin changed the object';
  return count === 1 ? 'Plugins changed one field' : `Plugins changed ${count} fields`;
}

/** Returns the outcome of a write. */
function storedWords({ isDryRun, attributes }: RequestRecord, revision = ''): string {
  if (isDryRun) return 'A dry run: nothing is stored';
  return revision === '' || attributes.subresource === 'token'
    ? 'Nothing is stored'
    : `Stored at revision ${revision}`;
}

/** Returns the outcome of a request that reports no stored object: a read, a delete, a binding. */
function answeredWords(record: RequestRecord, revision: number | undefined): string {
  if (READS.has(record.attributes.verb)) return record.verb === 'watch' ? 'The watch is open' : 'Read';
  return storedWords(record, revision === undefined ? undefined : String(revision));
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

function callOf({ webhook, tookMs, answer, error }: WebhookStep): WebhookCallDetails {
  const name = webhook ? `${webhook.configuration}/${webhook.name}` : 'a deleted configuration';
  if (error !== undefined) return { name, verdict: 'failed', tookMs, text: error };
  const { response } = (answer ?? {}) as { response?: Partial<WebhookResponse> };
  const { allowed, patch, status, warnings } = response ?? {};
  if (typeof allowed !== 'boolean')
    return { name, verdict: 'failed', tookMs, text: 'Its answer has no verdict' };
  const text = [
    status?.message,
    ...(typeof patch === 'string' && patch !== '' ? ['It sent a patch'] : []),
    ...(Array.isArray(warnings) ? warnings.map((each) => `Warning: ${each}`) : []),
  ];
  return { name, verdict: allowed ? 'allowed' : 'denied', tookMs, text: text.filter(Boolean).join('. ') };
}
