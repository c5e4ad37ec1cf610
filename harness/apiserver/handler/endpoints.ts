import type { KubeObject, New } from '../../api/objects.ts';
import type { DeleteOptions, GetOptions, PatchOptions, Updated } from '../../contracts/client.ts';
import { decodeBody, readBody } from './body.ts';
import { type Call, type Endpoints, keyOf } from './endpoint.ts';
import { negotiateStream } from './negotiation.ts';
import { deleteOptions, getOptions, listOptions, watchOptions, writeOptions } from './options.ts';
import { readPatch } from './patch-body.ts';
import type { Answer } from './respond.ts';
import { readNamed, readObject } from './sent-object.ts';
import { watchResponse } from './watch-stream.ts';

/**
 * `/api/v1/namespaces/{namespace}/pods`
 *
 * The endpoints of a resource: each turns one request into one call on the Client, and its result into an
 * answer.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/endpoints/handlers
 */
export const collection: Endpoints = {
  list: async (call) => {
    const options = { ...listOptions(call.query), ...scopeOf(call) };
    return { code: 200, body: await call.client.list(call.resource, options) };
  },

  watch: (call) => watch(call),

  create: async (call) => {
    const { object, options, warnings } = await readObject(call, call.resource, 'CreateOptions');
    const created = await call.client.create(call.resource, object as New<KubeObject>, options);
    return { code: 201, body: created, warnings };
  },

  deletecollection: async (call) => {
    const selection = { ...listOptions(call.query), ...scopeOf(call) };
    const options = { ...selection, ...(await readDeleteOptions(call)) };
    return { code: 200, body: await call.client.deleteCollection(call.resource, options) };
  },
};

/** `/api/v1/namespaces/{namespace}/pods/{name}` */
export const object: Endpoints = {
  get: (call) => get(call),

  update: async (call) => {
    const { object, options, warnings } = await readNamed(call, call.resource);
    const updated = await call.client.update(call.resource, object as Updated<KubeObject>, options);
    return { code: 200, body: updated, warnings };
  },

  patch: (call) => patch(call),

  delete: async (call) => {
    const options = { ...(await readDeleteOptions(call)), signal: call.request.signal };
    return { code: 200, body: await call.client.delete(call.resource, keyOf(call), options) };
  },

  // Only by the old paths, `/api/v1/watch/…`: elsewhere one object is watched as a collection, by a selector.
  watch: (call) => watch(call),
};

/** `/api/v1/namespaces/{namespace}/pods/{name}/status` */
export const status: Endpoints = {
  get: (call) => get(call),

  update: async (call) => {
    const { object, options, warnings } = await readNamed(call, call.resource);
    const updated = await call.client.updateStatus(call.resource, object as Updated<KubeObject>, options);
    return { code: 200, body: updated, warnings };
  },

  patch: (call) => patch(call, 'status'),
};

/** Changes part of an object or of what is below it. */
export async function patch(call: Call, subresource?: 'status' | 'scale'): Promise<Answer> {
  const { client, request, query, resource } = call;
  const readAsPatch = await readPatch(request);
  const options: PatchOptions = {
    ...writeOptions(query, 'PatchOptions'),
    ...(subresource ? { subresource } : {}),
    signal: request.signal,
  };
  return { code: 200, body: await client.patch(resource, keyOf(call), readAsPatch(), options) };
}

async function get(call: Call): Promise<Answer> {
  const options: GetOptions = { ...getOptions(call.query), signal: call.request.signal };
  return { code: 200, body: await call.client.get(call.resource, keyOf(call), options) };
}

async function watch(call: Call): Promise<Response> {
  const { client, request, query, resource, name } = call;
  negotiateStream(request.headers.get('accept'));
  const options = { ...watchOptions(query), ...(name ? { fieldSelector: `metadata.name=${name}` } : {}) };
  return watchResponse(await client.watch(resource, { ...options, ...scopeOf(call) }), request.signal);
}

/** Where the path looks, and for how long the client waits. */
function scopeOf({ request, resource, namespace }: Call): { namespace?: string; signal: AbortSignal } {
  return { ...(resource.namespaced && namespace ? { namespace } : {}), signal: request.signal };
}

async function readDeleteOptions({ request, query, decoders, resource }: Call): Promise<DeleteOptions> {
  const body = await readBody(request, decoders);
  if (body.bytes.length === 0) return deleteOptions(query);
  // Every group version has DeleteOptions of its own; they differ in nothing.
  const expected = { group: resource.group, version: resource.version, kind: 'DeleteOptions' };
  return deleteOptions(query, decodeBody<object>(body, expected, 'Ignore').object);
}
