import type { CertificateSigningRequest, Namespace, ObjectMeta, Pod } from '../../api/objects.ts';
import { errors, failure, StatusError } from '../../api/status.ts';
import type { DeleteOptions, Updated, WriteOptions } from '../../contracts/client.ts';
import type { Expected } from '../decode.ts';
import { notSupported } from '../validation/field-error.ts';
import type { Warned } from '../verbs/owner-references.ts';
import { type Call, type Endpoints, keyOf } from './endpoint.ts';
import { get, patch } from './endpoints.ts';
import { deleteOptions } from './options.ts';
import type { Answer } from './respond.ts';
import { readNamed, readObject, type SentObject } from './sent-object.ts';

/**
 * `…/deployments/web/scale`: accepts and returns a Scale.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/deployment/storage/storage.go ScaleREST
 */
export const scale: Endpoints = {
  get: async (call) => {
    const body = await call.client.getScale(call.resource, keyOf(call), { signal: call.request.signal });
    return { code: 200, body };
  },

  update: async (call) => {
    const { object, options } = await readNamed(call, SCALE);
    const { replicas = 0 } = (object.spec ?? {}) as { replicas?: number };
    const { resourceVersion, ...metadata } = object.metadata as Partial<ObjectMeta>;
    const update = { replicas, metadata, ...(resourceVersion ? { resourceVersion } : {}) };
    const body = await call.client.updateScale(call.resource, keyOf(call), update, options);
    return { code: 200, body };
  },

  patch: (call) => patch(call, 'scale'),
};

/**
 * `…/pods/web-1/binding`: accepts a Binding.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/storage/storage.go BindingREST
 */
export const binding: Endpoints = {
  create: async (call) => {
    const { object, options } = await readObject(call, BINDING, 'CreateOptions');
    if (object.metadata.name !== call.name) {
      throw errors.badRequest('name in URL does not match name in Binding object');
    }
    return bind(call, object, options);
  },
};

/**
 * The older path for bindings: only the body names the pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/storage/storage.go LegacyBindingREST
 */
export const bindings: Endpoints = {
  create: async (call) => {
    const { object, options } = await readObject(call, BINDING, 'CreateOptions');
    return bind({ ...call, name: object.metadata.name ?? '' }, object, options);
  },
};

/**
 * `…/pods/web-1/eviction`: accepts an Eviction.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/storage/eviction.go EvictionREST
 *
 * Differs: accepts only policy/v1, while upstream also accepts v1beta1.
 */
export const eviction: Endpoints = {
  create: async (call) => {
    const { object, options } = await readObject(call, EVICTION, 'CreateOptions');
    if (object.metadata.name !== call.name) {
      throw errors.badRequest('name in URL does not match name in Eviction object');
    }
    const asked = deleteOptions(new URLSearchParams(), object.deleteOptions ?? {});
    const eviction: DeleteOptions & Warned = {
      ...asked,
      ...(options.dryRun ? { dryRun: true } : {}),
      signal: call.request.signal,
      onWarning: call.warn,
    };
    await call.client.evict(keyOf(call), eviction);
    return done;
  },
};

/**
 * `…/pods/web-1/ephemeralcontainers`: accepts and returns the pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/storage/storage.go EphemeralContainersREST
 */
export const ephemeralContainers: Endpoints = {
  get,

  update: async (call) => {
    const { object, options } = await readNamed(call, call.resource);
    const body = await call.client.updateEphemeralContainers(object as Updated<Pod>, options);
    return { code: 200, body };
  },

  patch: (call) => patch(call, 'ephemeralcontainers'),
};

/**
 * `…/certificatesigningrequests/jane/approval`: accepts and returns the request.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/certificates/certificates/storage/storage.go ApprovalREST
 */
export const approval: Endpoints = {
  get,

  update: async (call) => {
    const { object, options } = await readNamed(call, call.resource);
    const body = await call.client.updateApproval(object as Updated<CertificateSigningRequest>, options);
    return { code: 200, body };
  },

  patch: (call) => patch(call, 'approval'),
};

/**
 * `/api/v1/namespaces/team/finalize`: accepts and returns the namespace.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/namespace/storage/storage.go FinalizeREST
 */
export const finalize: Endpoints = {
  update: async (call) => {
    const { object, options } = await readNamed(call, call.resource);
    const body = await call.client.finalize(object as unknown as Updated<Namespace>, options);
    return { code: 200, body };
  },
};

/**
 * `…/serviceaccounts/default/token`: accepts and returns a TokenRequest.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/serviceaccount/storage/token.go TokenREST
 */
export const token: Endpoints = {
  create: async (call) => {
    const { object, options } = await readObject(call, TOKEN_REQUEST, 'CreateOptions');
    const body = await call.client.createToken(keyOf(call), object, options);
    return { code: 201, body };
  },
};

const TOKEN_REQUEST: Expected<unknown> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
};
const SCALE: Expected<unknown> = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
const BINDING: Expected<unknown> = { group: '', version: 'v1', kind: 'Binding' };
const EVICTION: Expected<unknown> = { group: 'policy', version: 'v1', kind: 'Eviction' };

/** The answer to a successful request that returns no object. */
const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
const done: Answer = { code: 201, body: success };

async function bind(
  call: Call,
  { metadata, target }: SentObject,
  { dryRun = false, signal = call.request.signal }: WriteOptions,
): Promise<Answer> {
  const { kind, name = '' } = (target ?? {}) as { kind?: string; name?: string };
  if (kind && kind !== 'Node') {
    // Upstream throws this error without a code, so the client receives a 500.
    const { field, message } = notSupported('target.kind', kind, ['Node', '<empty>']);
    throw new StatusError(failure('InternalError', `${field}: ${message}`));
  }
  const uid = typeof metadata.uid === 'string' && metadata.uid ? { uid: metadata.uid } : {};
  await call.client.bind(keyOf(call), name, { ...uid, dryRun, signal });
  return done;
}
