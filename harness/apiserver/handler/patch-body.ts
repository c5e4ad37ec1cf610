import { errors } from '../../api/status.ts';
import type { Patch } from '../../contracts/client.ts';
import { readBytes } from './body.ts';
import { jsonErrorMessage } from './json-error.ts';
import { mediaTypeOf } from './negotiation.ts';

/** Media type by type of patch. Differs: server-side apply is not offered. */
const patchMediaTypes: Readonly<Record<Patch['type'], string>> = {
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
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/endpoints/handlers/patch.go PatchResource
 *
 * @throws StatusError UnsupportedMediaType, RequestEntityTooLarge; BadRequest when called
 */
export async function readPatch(request: Request): Promise<() => Patch> {
  const mediaType = mediaTypeOf(request.headers.get('content-type'));
  const type = (Object.keys(patchMediaTypes) as Patch['type'][]).find(
    (each) => patchMediaTypes[each] === mediaType,
  );
  if (!type) throw errors.unsupportedMediaType(Object.values(patchMediaTypes));
  const text = new TextDecoder().decode(await readBytes(request));
  return () => decodePatch(type, text);
}

function decodePatch(type: Patch['type'], text: string): Patch {
  const refuse = (why: string): never => {
    throw errors.badRequest(type === 'strategic' ? why : `error decoding patch: ${why}`);
  };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    refuse(jsonErrorMessage(text, error));
  }
  const actual = Array.isArray(body) ? 'array' : typeof body;
  if (type === 'json') {
    if (!Array.isArray(body))
      refuse(`json: cannot unmarshal ${actual} into Go value of type []handlers.jsonPatchOp`);
    return { type, body: body as readonly unknown[] };
  }
  if (actual !== 'object')
    refuse(`json: cannot unmarshal ${actual} into Go value of type map[string]interface {}`);
  return { type, body: body ?? {} };
}
