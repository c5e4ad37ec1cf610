import type * as core from '#api/core/v1';
import { isDNS1123Subdomain } from '../api/names.ts';
import type { KubeObject } from '../api/objects.ts';
import type { Clock, Random } from '../sim/index.ts';

/**
 * Creates a generator of names for Events about an object. A name contains the time in nanoseconds; the part below the
 * clock's precision is random. If the object's name is not valid in an Event's name, the whole name is random.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/record/util/util.go GenerateEventName
 */
export function eventNames(clock: Clock, random: Random): (about: string) => string {
  let lastNs = 0n;
  return (about) => {
    const ns = BigInt(Math.floor(clock.now())) * NS_PER_MS + BigInt(random.int(Number(NS_PER_MS)));
    lastNs = ns > lastNs ? ns : lastNs + 1n;
    const name = `${about}.${lastNs.toString(16)}`;
    return isDNS1123Subdomain(name).length > 0 ? random.uuid() : name;
  };
}

const NS_PER_MS = 1_000_000n;

/**
 * Returns the reference to an object that an Event contains.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/reference/ref.go GetReference
 */
export function referenceTo(object: KubeObject | core.ObjectReference): core.ObjectReference {
  if (!('metadata' in object)) return object;
  const { apiVersion, kind, metadata } = object;
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion, kind, ...(namespace ? { namespace } : {}), name, uid, resourceVersion };
}
