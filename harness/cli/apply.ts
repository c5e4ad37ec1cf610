import type { KubeObject, New } from '../api/objects.ts';
import { isNotFound } from '../api/status.ts';
import { createThreeWayMergePatch, type JsonObject, schemaOf } from '../apiserver/patch/index.ts';
import type { Client } from '../contracts/client.ts';
import type { ManifestBody, ManifestObject } from './manifest.ts';

/** What became of one object. */
export interface Applied {
  readonly outcome: 'created' | 'configured' | 'unchanged';
  /** What was sent when it was created: the manifest's object, and kubectl's annotation. */
  readonly sent: object;
  /** As the server has it now. */
  readonly stored: KubeObject;
}

/**
 * `kubectl apply`, as far as a cluster needs it that holds nothing yet: what is not there is created, what is
 * there is patched, and what is there already as it shall be is left alone.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go ApplyOptions.applyOneObject
 *
 * @throws StatusError what the server says if it refuses
 */
export async function apply(client: Client, { resource, key, object }: ManifestObject): Promise<Applied> {
  const options = { fieldManager: 'kubectl-client-side-apply', fieldValidation: 'Strict' } as const;
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

/** In which an apply notes what it applied, so that the next one knows what was taken out since. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function annotated(object: ManifestBody): ManifestBody {
  const { annotations } = object.metadata;
  // What is no map of annotations the server shall refuse, not we.
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
  const configuration = `${JSON.stringify(sorted(withAnnotations(others)))}\n`;
  return withAnnotations({ ...others, [LAST_APPLIED]: configuration });
}

function lastAppliedOf({ metadata }: KubeObject): JsonObject {
  const text = metadata.annotations?.[LAST_APPLIED];
  return text === undefined ? {} : JSON.parse(text);
}

/** Go writes the keys of a map in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
