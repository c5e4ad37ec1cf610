import type * as core from '#api/core/v1';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { forbidden } from '../validation/field-error.ts';
import { validateAnnotations, validateLabels } from '../validation/object-meta.ts';
import { validatePodAnnotations } from './pod/annotations.ts';
import { validateAppArmorMatches } from './pod/app-armor.ts';
import { setPodSpecDefaults } from './pod/defaults.ts';
import { validatePodSpec } from './pod/spec.ts';

/**
 * Sets the defaults of a pod template, the pattern for the pods of a workload's controller: the defaults of a pod's
 * spec. The rest is set when a pod is created from it ({@link Kind.setDefaults} of pods). So a newer apiserver with
 * more defaults does not change the template.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidatePodTemplateSpec
 */
export function setPodTemplateDefaults(template: core.PodTemplateSpec): core.PodTemplateSpec {
  return withChanged(withDefaults(template, { spec: NO_SPEC }), 'spec', setPodSpecDefaults);
}

/** Returns all violations of a template. Its owner may have more rules: a Deployment requires restartPolicy Always. */
export function validatePodTemplateSpec(template: core.PodTemplateSpec, path: string): Cause[] {
  const { metadata, spec } = template;
  const specPath = `${path}.spec`;
  const causes = [
    ...validateLabels(metadata?.labels, `${path}.labels`),
    ...validateAnnotations(metadata?.annotations, `${path}.annotations`),
    ...validatePodAnnotations(metadata?.annotations, spec ?? NO_SPEC, `${path}.annotations`),
    ...validatePodSpec(spec ?? NO_SPEC, specPath),
    ...validateAppArmorMatches(metadata?.annotations, spec ?? NO_SPEC, specPath),
  ];
  if (spec?.ephemeralContainers?.length) {
    causes.push(
      forbidden(`${specPath}.ephemeralContainers`, 'ephemeral containers not allowed in pod template'),
    );
  }
  return causes;
}

const NO_SPEC: core.PodSpec = { containers: [] };
