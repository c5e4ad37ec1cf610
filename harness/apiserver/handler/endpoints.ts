import type { KubeObject, New, ObjectMeta } from '../../api/objects.ts';
import { groupVersion, type Resource } from '../../api/resource.ts';
import { errors, StatusError } from '../../api/status.ts';
import type { Deleted, DeleteOptions, GetOptions, PatchOptions, Updated } from '../../contracts/client.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import type { Kind } from '../kind.ts';
import { kinds } from '../kinds/index.ts';
import type { Warned } from '../verbs/owner-references.ts';
import { wasCreated } from '../verbs/update.ts';
import { decodeBody, readBody } from './body.ts';
import { type Call, type Endpoints, keyOf } from './endpoint.ts';
import { negotiateStream } from './negotiation.ts';
import {
  deleteOptions,
  getOptions,
  listOptions,
  patchOptions,
  watchOptions,
  withManager,
} from './options.ts';
import { readPatch } from './patch-body.ts';
import type { Answer } from './respond.ts';
import { readNamed, readObject } from './sent-object.ts';
import { conversionsAt, eventTransform } from './transform.ts';
import { watchResponse } from './watch-stream.ts';

/**
 * `/api/v1/namespaces/{namespace}/pods`
 *
 * The endpoints of a resource. Each turns a request into one call on the Client, and the result into an answer.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers
 */
export const collection: Endpoints = {
  list: async (call) => {
    const options = { ...listOptions(call.query), ...scopeOf(call) };
    return { code: 200, body: await call.client.list(call.resource, options) };
  },

  watch: (call) => watch(call),

  create: async (call) => {
    const { object, options } = await readObject(call, call.resource, 'CreateOptions');
    const created = await call.client.create(call.resource, object as New<KubeObject>, options);
    warnAbout(call, kindOf(call.resource).warningsOnCreate, created);
    return { code: 201, body: created };
  },

  deletecollection: async (call) => {
    const selection = { ...listOptions(call.query), ...scopeOf(call) };
    const { options: deletion } = await readDeleteOptions(call);
    const options = { ...selection, ...deletion, onWarning: call.warn };
    return { code: 200, body: await call.client.deleteCollection(call.resource, options) };
  },
};

/** `/api/v1/namespaces/{namespace}/pods/{name}` */
export const object: Endpoints = {
  get: (call) => get(call),

  update: async (call) => {
    const { object, options } = await readNamed(call, call.resource);
    const updated = await call.client.update(call.resource, object as Updated<KubeObject>, options);
    const isNew = wasCreated(updated);
    const { warningsOnCreate, warningsOnUpdate } = kindOf(call.resource);
    warnAbout(call, isNew ? warningsOnCreate : warningsOnUpdate, updated);
    return { code: isNew ? 201 : 200, body: updated };
  },

  patch: (call) => patch(call),

  delete: async (call) => {
    const { options: read, isOldCascade } = await readDeleteOptions(call);
    const { request, warn } = call;
    const options: DeleteOptions & Warned = { ...read, signal: request.signal, onWarning: warn };
    const body = await call.client.delete(call.resource, keyOf(call), options);
    return { code: isOldCascade && isStillThere(body) ? 202 : 200, body };
  },

  // Only the old paths `/api/v1/watch/…` watch an object by name. Elsewhere a client watches the collection with a
  // selector.
  watch: (call) => watch(call),
};

/** `/api/v1/namespaces/{namespace}/pods/{name}/status` */
export const status: Endpoints = {
  get: (call) => get(call),

  update: async (call) => {
    const { object, options } = await readNamed(call, call.resource);
    const updated = await call.client.updateStatus(call.resource, object as Updated<KubeObject>, options);
    return { code: 200, body: updated };
  },

  patch: (call) => patch(call, 'status'),
};

/** Patches an object or one of its subresources. */
export async function patch(call: Call, subresource?: PatchOptions['subresource']): Promise<Answer> {
  const { client, request, query, resource, warn } = call;
  const sent = await readPatch(request);
  const options: PatchOptions = {
    ...withManager(patchOptions(query, sent.type), request),
    ...(subresource ? { subresource } : {}),
    signal: request.signal,
  };
  const { patch: read, warnings } = sent.decode(options.fieldValidation);
  warnings.forEach(warn);
  const warned: PatchOptions & Warned = { ...options, onWarning: warn };
  const body = await client.patch(resource, keyOf(call), read, warned);
  const isNew = wasCreated(body);
  const { warningsOnCreate, warningsOnUpdate } = subresource ? {} : kindOf(call.resource);
  warnAbout(call, isNew ? warningsOnCreate : warningsOnUpdate, body);
  return { code: isNew ? 201 : 200, body };
}

function warnAbout(
  { warn }: Call,
  warnings: ((object: KubeObject) => readonly string[]) | undefined,
  object: KubeObject,
): void {
  warnings?.(object).forEach(warn);
}

/** Returns the server's strategy for a kind, or an empty object for an unknown kind. */
export function kindOf(resource: Resource): Partial<Kind> {
  return customVersionOf(resource)?.kind ?? kindByResource.get(nameOf(resource)) ?? {};
}

const nameOf = (resource: Resource): string => `${groupVersion(resource)}/${resource.plural}`;
const kindByResource = new Map(kinds.map((kind) => [nameOf(kind.resource), kind]));

/** Reads the object, also through the path of a subresource. */
export async function get(call: Call): Promise<Answer> {
  const options: GetOptions = { ...getOptions(call.query), signal: call.request.signal };
  return { code: 200, body: await call.client.get(call.resource, keyOf(call), options) };
}

async function watch(call: Call): Promise<Response> {
  const { client, request, query, resource, name } = call;
  const isCustom = customVersionOf(resource) !== undefined;
  const { mediaType, convert } = negotiateStream(
    request.headers.get('accept'),
    conversionsAt('collection', isCustom),
  );
  const options = { ...watchOptions(query), ...(name ? { fieldSelector: `metadata.name=${name}` } : {}) };
  const transform = eventTransform(convert, call);
  const events = await client.watch(resource, { ...options, ...scopeOf(call) });
  return watchResponse(events, request.signal, { mediaType, ...(transform ? { transform } : {}) });
}

/** Returns the namespace of the path, and the signal that aborts when the client stops waiting. */
function scopeOf({ request, resource, namespace }: Call): { namespace?: string; signal: AbortSignal } {
  return { ...(resource.namespaced && namespace ? { namespace } : {}), signal: request.signal };
}

/**
 * Reports whether the delete has only begun. Only clients that use the old options get 202; others would not expect it.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/delete.go DeleteResource
 */
function isStillThere(deleted: Deleted<KubeObject>): boolean {
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = deleted.metadata as Partial<ObjectMeta>;
  const { finalizers: inSpec = [] } = (deleted as { spec?: { finalizers?: readonly string[] } }).spec ?? {};
  return finalizers.length > 0 || inSpec.length > 0 || deletionGracePeriodSeconds > 0;
}

/** The options of a delete request. */
interface ReadDeleteOptions {
  readonly options: DeleteOptions;
  /**
   * Whether the client requests cascading deletion in the old way, before policies existed: `orphanDependents: false`.
   */
  readonly isOldCascade: boolean;
}

async function readDeleteOptions({ request, query, decoders, resource }: Call): Promise<ReadDeleteOptions> {
  const body = await readBody(request, decoders);
  if (body.bytes.length === 0) {
    const options = deleteOptions(query);
    const saysOld = query.has('orphanDependents') && !query.get('propagationPolicy');
    return { options, isOldCascade: saysOld && options.propagationPolicy === 'Background' };
  }
  // Every group version has its own DeleteOptions; all are identical.
  const expected = { group: resource.group, version: resource.version, kind: 'DeleteOptions' };
  try {
    const { object } = decodeBody<{ orphanDependents?: unknown }>(body, expected, 'Ignore');
    return { options: deleteOptions(query, object), isOldCascade: object.orphanDependents === false };
  } catch (error) {
    throw error instanceof StatusError && error.reason === 'BadRequest' ? plain(error) : error;
  }
}

/** Strips the message about the expected kind, so that only the error in the options remains. */
function plain({ message }: StatusError): StatusError {
  if (message.startsWith(UNREAD)) {
    return errors.badRequest(message.slice(UNREAD.length, message.lastIndexOf(' (')));
  }
  const at = message.lastIndexOf(MISREAD);
  return errors.badRequest(at < 0 ? message : message.slice(at + MISREAD.length));
}

/** The error and a part of the body in parentheses follow. */
const UNREAD = 'the object provided is unrecognized (must be of type DeleteOptions): ';
/** The error follows. */
const MISREAD = ' cannot be handled as a DeleteOptions: ';
