import type { WebhookRequest, WebhookResponse } from '../../../contracts/admission/index.ts';
import type { Clock } from '../../../sim/index.ts';
import { forever } from '../pause.ts';

/** A review from an apiserver. */
export interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: WebhookRequest;
}

/** The answer of a handler, without the uid of the request. */
interface Verdict extends Omit<WebhookResponse, 'uid' | 'status'> {
  readonly status?: { readonly metadata: object } & NonNullable<WebhookResponse['status']>;
}

/** Answers a review. @throws Error when the real handler panics, which resets the connection */
export type Admit = (request: WebhookRequest) => Verdict | Promise<Verdict>;

/** The parts of an object that the handlers read. */
interface Reviewed {
  readonly metadata?: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly initContainers?: readonly Named[]; readonly containers?: readonly Named[] };
  readonly container?: string;
  readonly stdin?: boolean;
}

interface Named {
  readonly name: string;
}

const LABEL = 'webhook-e2e-test';
const ALLOWED: Verdict = { allowed: true };

/** Returns the handlers by path. Upstream: kubernetes/kubernetes@v1.36.3 test/images/agnhost/webhook/main.go main */
export function handlers({
  clock,
  sidecarImage,
}: {
  readonly clock: Clock;
  readonly sidecarImage: string;
}): ReadonlyMap<string, Admit> {
  return new Map<string, Admit>([
    ['/always-deny', () => denied('this webhook denies all requests')],
    ['/always-allow-delay-5s', () => allowLater(clock)],
    ['/add-label', ({ object }) => reading(object, addLabel)],
    ['/pods', (request) => ofResource(request, 'pods') ?? reading(request.object, admitPod)],
    ['/pods/attach', admitAttachment],
    ['/mutating-pods', (request) => mutatePod(request, addInitContainer)],
    ['/mutating-pods-sidecar', (request) => addSidecar(request, sidecarImage)],
    ['/configmaps', (request) => admitData(mustBe(request, 'configmaps'), 'configmap', UNWANTED_PAIR)],
    ['/mutating-configmaps', (request) => reading(mustBe(request, 'configmaps').object, stageData)],
    ['/custom-resource', (request) => admitData(request, 'custom resource', 'unwanted data')],
    ['/mutating-custom-resource', ({ object }) => reading(object, stageData)],
    ['/crd', admitDefinition],
  ]);
}

const UNWANTED_PAIR = 'unwanted key and value';

function denied(message: string): Verdict {
  return { allowed: false, status: { metadata: {}, message } };
}

function deniedBecause(reason: string): Verdict {
  return { allowed: false, status: { metadata: {}, reason } };
}

function patched(patch: readonly object[]): Verdict {
  return {
    allowed: true,
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    patchType: 'JSONPatch',
  };
}

/** Passes on the object of a request; denies a request without one, because Go cannot parse nothing. */
function reading<T>(object: object | null, read: (object: Reviewed) => T): T | Verdict {
  return object ? read(object) : denied('unexpected end of JSON input');
}

async function allowLater(clock: Clock): Promise<Verdict> {
  await clock.sleep(5_000);
  return { allowed: true, status: { metadata: {}, message: 'this webhook allows all requests' } };
}

function addLabel({ metadata: { labels = {} } = {} }: Reviewed): Verdict {
  if (Object.keys(labels).length === 0) {
    return patched([{ op: 'add', path: '/metadata/labels', value: { 'added-label': 'yes' } }]);
  }
  if (labels['added-label'] === 'yes') return ALLOWED;
  const op = Object.hasOwn(labels, 'added-label') ? 'replace' : 'add';
  return patched([{ op, path: '/metadata/labels/added-label', value: 'yes' }]);
}

/** Formats a resource as upstream: `/v1, Resource=pods`. */
function resourceText({ group, version, resource }: WebhookRequest['resource']): string {
  return `${group}/${version}, Resource=${resource}`;
}

/** Denies a request for a resource of the core group other than this one. */
function ofResource({ resource }: WebhookRequest, plural: string): Verdict | undefined {
  const expected = { group: '', version: 'v1', resource: plural };
  return resourceText(resource) === resourceText(expected)
    ? undefined
    : denied(`expect resource to be ${resourceText(expected)}`);
}

/** @throws Error for another resource: the real handler returns nil, and its caller panics */
function mustBe(request: WebhookRequest, plural: string): WebhookRequest {
  if (ofResource(request, plural)) throw new Error('invalid memory address or nil pointer dereference');
  return request;
}

function admitPod({ metadata: { labels = {} } = {}, spec: { containers = [] } = {} }: Reviewed) {
  const value = labels[LABEL];
  if (value === 'wait-forever') return forever();
  const problems = [
    ...(value === 'webhook-disallow' ? ['the pod contains unwanted label;'] : []),
    ...containers
      .filter(({ name }) => name.includes('webhook-disallow'))
      .map(() => 'the pod contains unwanted container name;'),
  ];
  return problems.length === 0 ? ALLOWED : denied(problems.join(' '));
}

function admitAttachment(request: WebhookRequest): Verdict {
  const { name, subResource = '', object } = request;
  if (name !== 'to-be-attached-pod') return ALLOWED;
  const problem = ofResource(request, 'pods');
  if (problem) return problem;
  if (subResource !== 'attach') return denied(`expect subresource to be attach, got ${subResource}`);
  return reading(object, ({ stdin, container }) =>
    stdin && container === 'container1'
      ? denied(`attaching to pod 'to-be-attached-pod' is not allowed`)
      : ALLOWED,
  );
}

function mutatePod(request: WebhookRequest, patchOf: (pod: Reviewed) => readonly object[]): Verdict {
  return reading(mustBe(request, 'pods').object, (pod) => {
    const patch = patchOf(pod);
    return patch.length === 0 ? ALLOWED : patched(patch);
  });
}

function addInitContainer({ metadata, spec: { initContainers = [] } = {} }: Reviewed): readonly object[] {
  const name = 'webhook-added-init-container';
  if (metadata?.name !== 'webhook-to-be-mutated' || has(initContainers, name)) return [];
  const value = [{ image: 'webhook-added-image', name, resources: {} }];
  return [{ op: 'add', path: '/spec/initContainers', value }];
}

function addSidecar(request: WebhookRequest, image: string): Verdict {
  if (image === '') {
    const message = 'No image specified by the sidecar-image parameter';
    return { allowed: false, status: { metadata: {}, message, code: 500 } };
  }
  const name = 'webhook-added-sidecar';
  return mutatePod(request, ({ spec: { containers = [] } = {} }) =>
    has(containers, name)
      ? []
      : [{ op: 'add', path: '/spec/containers/-', value: { image, name, resources: {} } }],
  );
}

function has(containers: readonly Named[], name: string): boolean {
  return containers.some((each) => each.name === name);
}

/** Protects data: one value may not be written, and another one may not be deleted. */
function admitData({ operation, object, oldObject }: WebhookRequest, of: string, unwanted: string): Verdict {
  const isDelete = operation === 'DELETE';
  return reading(isDelete ? oldObject : object, ({ data }) => {
    const value = data?.[LABEL];
    if (isDelete) {
      return value === 'webhook-nondeletable'
        ? deniedBecause(`the ${of} cannot be deleted because it contains ${UNWANTED_PAIR}`)
        : ALLOWED;
    }
    return value === 'webhook-disallow' ? deniedBecause(`the ${of} contains ${unwanted}`) : ALLOWED;
  });
}

/** Adds the mark of the next stage, so that a second webhook can build on the first. */
function stageData({ data }: Reviewed): Verdict {
  const stage = data?.['mutation-stage-1'] === 'yes' ? 2 : data?.['mutation-start'] === 'yes' ? 1 : 0;
  return stage === 0
    ? ALLOWED
    : patched([{ op: 'add', path: `/data/mutation-stage-${stage}`, value: 'yes' }]);
}

function admitDefinition({ resource, object }: WebhookRequest): Verdict {
  const { group, resource: plural } = resource;
  if (group !== 'apiextensions.k8s.io' || plural !== 'customresourcedefinitions') {
    const [beta, stable] = ['v1beta1', 'v1'].map((version) =>
      resourceText({ group: 'apiextensions.k8s.io', version, resource: 'customresourcedefinitions' }),
    );
    return denied(`expect resource to be one of [${beta}, ${stable}] but got ${resourceText(resource)}`);
  }
  return reading(object, ({ metadata }) =>
    metadata?.labels?.[LABEL] === 'webhook-disallow' ? denied('the crd contains unwanted label') : ALLOWED,
  );
}
