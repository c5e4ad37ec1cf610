import type { PodTemplate } from '../../api/objects.ts';
import { podTemplates } from '../../api/plain-resources.ts';
import { withChanged } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { setPodTemplateDefaults, validatePodTemplateSpec } from './pod-template.ts';

/**
 * The kind PodTemplate.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/podtemplate/strategy.go,
 * pkg/apis/core/validation/validation.go ValidatePodTemplate
 */
export const podTemplate = declareKind<PodTemplate>({
  resource: podTemplates,
  generationOf: ({ template }) => template,
  setDefaults: (object) => withChanged(object, 'template', setPodTemplateDefaults),
  rules: [({ template }) => validatePodTemplateSpec(template, 'template')],
});
