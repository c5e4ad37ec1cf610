import type { Pod } from '../../../api/objects.ts';
import { semanticEqual } from '../../../api/semantic-equality.ts';
import type { Cause } from '../../../api/status.ts';
import { forbidden } from '../../validation/field-error.ts';
import { withOld } from '../with-field.ts';
import { differences } from './differences.ts';

/**
 * The old pod with the ephemeral containers of the new one. Of the metadata, too, a client may change nothing here.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go dropNonEphemeralContainerUpdates
 */
export function withNewEphemeralContainers(pod: Pod, old: Pod): Pod {
  return { ...old, spec: withOld(old.spec, pod.spec, 'ephemeralContainers') };
}

/**
 * The containers that were there stay, as they are: some may be running. Their order does not matter.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidatePodEphemeralContainersUpdate
 *
 * Differs: what has changed is told by the names of fields; upstream appends a diff.
 */
export function validateEphemeralContainersUpdate({ spec }: Pod, old: Pod): Cause[] {
  // Upstream's spelling of the path to the whole object.
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

/** Tells a static pod. Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/annotation_key_constants.go MirrorPodAnnotationKey */
const MIRROR = 'kubernetes.io/config.mirror';
