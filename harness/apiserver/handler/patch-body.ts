import { errors } from '../../api/status.ts';
import type { Patch } from '../../contracts/client.ts';
import { jsonKind } from '../schema/wording.ts';
import { readBytes } from './body.ts';
import { jsonText, parseJson } from './json-body.ts';
import { mediaTypeOf } from './negotiation.ts';

/** Media type by type of patch. Differs: server-side apply is not offered. */
export const patchMediaTypes: Readonly<Record<Patch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

/**
 * Reads the patch; calling the result decodes it. The two are apart because what is wrong with the options of a
 * request is told before what is wrong with its patch.
 *
 * The body of a PATCH: its media type says how it is meant.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go PatchResource
 *
 * @throws StatusError UnsupportedMediaType, RequestEntityTooLarge; BadRequest when called
 */
export async function readPatch(request: Request): Promise<() => Patch> {
  const mediaType = mediaTypeOf(request.headers.get('content-type'));
  const type = (Object.keys(patchMediaTypes) as Patch['type'][]).find(
    (each) => patchMediaTypes[each] === mediaType,
  );
  if (!type) throw errors.unsupportedMediaType(Object.values(patchMediaTypes));
  const bytes = await readBytes(request);
  return () => decodePatch(type, bytes);
}

function decodePatch(type: Patch['type'], bytes: Uint8Array): Patch {
  const refuse = (why: string): never => {
    throw errors.badRequest(type === 'strategic' ? why : `error decoding patch: ${why}`);
  };
  let body: unknown;
  try {
    body = parseJson(jsonText(bytes));
  } catch (error) {
    refuse((error as Error).message);
  }
  // What null means, the patch itself says.
  if (body === null)
    return type === 'json' ? { type, body: [] } : { type, body: type === 'merge' ? null : {} };
  if (type === 'json') {
    if (!Array.isArray(body))
      refuse(`json: cannot unmarshal ${jsonKind(body, '')} into Go value of type []handlers.jsonPatchOp`);
    return { type, body: body as readonly unknown[] };
  }
  if (typeof body !== 'object' || Array.isArray(body))
    refuse(`json: cannot unmarshal ${jsonKind(body, '')} into Go value of type map[string]interface {}`);
  return { type, body };
}
