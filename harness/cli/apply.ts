import type { KubeObject, New } from '../api/objects.ts';
import { isNotFound } from '../api/status.ts';
import { createThreeWayMergePatch, type JsonObject, schemaOf } from '../apiserver/patch/index.ts';
import type { Client, WriteOptions } from '../contracts/client.ts';
import type { ManifestBody, ManifestObject } from './manifest.ts';

/** The result of applying one object. */
export interface Applied {
  readonly outcome: 'created' | 'configured' | 'unchanged';
  /** The body of the create request: the manifest's object with kubectl's annotation. */
  readonly sent: object;
  /** The object as the server stores it now. */
  readonly stored: KubeObject;
}

/**
 * Applies an object as `kubectl apply` does, as far as an empty cluster needs it. Creates a missing object, patches an
 * existing one, and sends nothing if the object already matches.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go ApplyOptions.applyOneObject
 *
 * @throws StatusError when the server rejects a request
 */
export async function apply(
  client: Client,
  { resource, key, object }: ManifestObject,
  { dryRun = false }: Pick<WriteOptions, 'dryRun'> = {},
): Promise<Applied> {
  const options = {
    fieldManager: 'kubectl-client-side-apply',
    fieldValidation: 'Strict',
    ...(dryRun && { dryRun }),
  } as const;
  const sent = annotated(object);
  const current = await client.get(resource, key).catch((error) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (!current) {
    const stored = await client.create(resource, sent as unknown as New<KubeObject>, options);
    return { outcome: 'created', sent, stored };
  }
  const body = createThreeWayMergePatch(
    {
      original: lastAppliedOf(current),
      modified: sent as unknown as JsonObject,
      current: current as unknown as JsonObject,
    },
    schemaOf(resource),
  );
  if (Object.keys(body).length === 0) return { outcome: 'unchanged', sent, stored: current };
  const stored = await client.patch(resource, key, { type: 'strategic', body }, options);
  return { outcome: 'configured', sent, stored };
}

/**
 * The annotation in which apply records the applied configuration. The next apply compares with it to find removed
 * fields.
 */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function annotated(object: ManifestBody): ManifestBody {
  const { annotations } = object.metadata;
  // Invalid annotations are the server's to reject.
  if (
    annotations !== undefined &&
    annotations !== null &&
    (typeof annotations !== 'object' || Array.isArray(annotations))
  ) {
    return object;
  }
  const { [LAST_APPLIED]: _, ...others } = (annotations ?? {}) as Record<string, unknown>;
  const withAnnotations = (all: object): ManifestBody => ({
    ...object,
    metadata: { ...object.metadata, annotations: all },
  });
  const configuration = `${escaped(JSON.stringify(sorted(withAnnotations(others))))}\n`;
  return withAnnotations({ ...others, [LAST_APPLIED]: configuration });
}

function lastAppliedOf({ metadata }: KubeObject): JsonObject {
  const text = metadata.annotations?.[LAST_APPLIED];
  return text === undefined ? {} : JSON.parse(text);
}

const ESCAPES: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** Go escapes the characters of HTML in JSON. */
const escaped = (json: string): string => json.replace(/[<>&]/g, (character) => ESCAPES[character] ?? '');

/** Go writes the keys of a map in sorted order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
