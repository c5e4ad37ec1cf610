import type { Pod } from '../../../api/objects.ts';
import { semanticEqual } from '../../../api/semantic-equality.ts';
import type { Cause } from '../../../api/status.ts';
import { forbidden } from '../../validation/field-error.ts';
import { withOld } from '../with-field.ts';
import { differences } from './differences.ts';

/**
 * Returns the old pod with the new ephemeral containers. The client cannot change the metadata here either.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go dropNonEphemeralContainerUpdates
 */
export function withNewEphemeralContainers(pod: Pod, old: Pod): Pod {
  return { ...old, spec: withOld(old.spec, pod.spec, 'ephemeralContainers') };
}

/**
 * Requires the existing ephemeral containers to stay unchanged, because some may be running. Their order does not
 * matter.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidatePodEphemeralContainersUpdate
 *
 * Differs: the error lists the names of changed fields; upstream appends a diff.
 */
export function validateEphemeralContainersUpdate({ spec }: Pod, old: Pod): Cause[] {
  // Upstream's spelling for the path of the whole object.
  if (old.metadata.annotations?.[MIRROR] !== undefined) {
    return [forbidden('[]', 'static pods do not support ephemeral containers')];
  }
  return (old.spec.ephemeralContainers ?? []).flatMap((before) => {
    const now = spec.ephemeralContainers?.find(({ name }) => name === before.name);
    const which = `existing ephemeral containers "${before.name}" may not be`;
    if (!now) return [forbidden(PATH, `${which} removed\n`)];
    if (semanticEqual(before, now)) return [];
    return [forbidden(PATH, `${which} changed\n${differences(before, now)}`)];
  });
}

const PATH = 'spec.ephemeralContainers';

/** Marks a static pod. Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/annotation_key_constants.go MirrorPodAnnotationKey */
const MIRROR = 'kubernetes.io/config.mirror';
