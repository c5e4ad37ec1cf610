import type { KubeObject } from '../../api/objects.ts';
import { without } from '../copy-on-write.ts';

/**
 * Returns the stored form of an object: JSON, with its type and without its resourceVersion, which is the revision of
 * its key.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/api_object_versioner.go APIObjectVersioner.PrepareObjectForStorage
 *
 * Differs: upstream stores built-in kinds in protobuf, unless kube-apiserver has --storage-media-type=application/json.
 */
export function encodeStored({ apiVersion, kind, ...object }: KubeObject): string {
  return JSON.stringify({
    kind,
    apiVersion,
    ...object,
    metadata: without(object.metadata, 'resourceVersion', 'selfLink' as never),
  });
}

/** Returns the object in its stored form; undefined if the value is not an object in JSON. */
export function decodeStored(value: string): KubeObject | undefined {
  try {
    const object = JSON.parse(value) as KubeObject;
    return typeof object?.metadata?.name === 'string' ? object : undefined;
  } catch {
    return undefined;
  }
}
