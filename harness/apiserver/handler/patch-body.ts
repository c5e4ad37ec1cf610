import { errors } from '../../api/status.ts';
import type { Patch, WriteOptions } from '../../contracts/client.ts';
import { jsonKind } from '../schema/wording.ts';
import { readBytes } from './body.ts';
import { jsonText, parseJson } from './json-body.ts';
import { mediaTypeOf } from './negotiation.ts';
import { type ParsedYaml, parseYaml } from './yaml-body.ts';

/** Media type by type of patch. */
export const patchMediaTypes: Readonly<Record<Patch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** A patch that was read, and is not understood yet. */
interface SentPatch {
  readonly type: Patch['type'];
  /** @throws StatusError BadRequest */
  decode(fieldValidation: WriteOptions['fieldValidation']): ReadPatch;
}

/** A patch, with what a client should know of its text. */
interface ReadPatch {
  readonly patch: Patch;
  readonly warnings: readonly string[];
}

/**
 * Reads the patch. To decode it is another step because what is wrong with the options of a request is told before
 * what is wrong with its patch.
 *
 * The body of a PATCH: its media type says how it is meant.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go PatchResource
 *
 * @throws StatusError UnsupportedMediaType, RequestEntityTooLarge
 */
export async function readPatch(request: Request): Promise<SentPatch> {
  const mediaType = mediaTypeOf(request.headers.get('content-type'));
  const type = (Object.keys(patchMediaTypes) as Patch['type'][]).find(
    (each) => patchMediaTypes[each] === mediaType,
  );
  if (!type) throw errors.unsupportedMediaType(Object.values(patchMediaTypes));
  const bytes = await readBytes(request);
  return {
    type,
    decode: (fieldValidation) =>
      type === 'apply'
        ? decodeApply(bytes, fieldValidation)
        : { patch: decodePatch(type, bytes), warnings: [] },
  };
}

/**
 * A configuration to be applied, in YAML, of which JSON is a part.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go applyPatcher.applyPatchToCurrentObject
 *
 * Differs: that a key stands twice is told before what is wrong with the configuration, not after it.
 */
function decodeApply(bytes: Uint8Array, fieldValidation: WriteOptions['fieldValidation']): ReadPatch {
  let parsed: ParsedYaml;
  try {
    parsed = parseYaml(new TextDecoder().decode(bytes));
  } catch (error) {
    throw errors.badRequest(
      `error decoding YAML: error converting YAML to JSON: ${(error as Error).message}`,
    );
  }
  const { value, duplicates } = parsed;
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    const why = `json: cannot unmarshal ${jsonKind(value, '')} into Go value of type map[string]interface {}`;
    throw errors.badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  if (fieldValidation === 'Strict' && duplicates.length > 0) {
    const lines = duplicates.map((each) => `  ${each}`).join('\n');
    throw errors.badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n${lines}`,
    );
  }
  const warnings = fieldValidation === 'Ignore' ? [] : duplicates;
  return { patch: { type: 'apply', body: value }, warnings };
}

function decodePatch(type: Exclude<Patch['type'], 'apply'>, bytes: Uint8Array): Patch {
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
