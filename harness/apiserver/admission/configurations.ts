import type * as admissionregistration from '#api/admissionregistration/v1';
import { defineResource } from '../../api/define-resource.ts';
import type { KubeObject } from '../../api/objects.ts';

type Stored<T> = Omit<T, 'apiVersion' | 'kind' | 'metadata'> & KubeObject;

const V1 = 'admissionregistration.k8s.io/v1';

export const mutatingWebhookConfigurations = defineResource<
  Stored<admissionregistration.MutatingWebhookConfiguration>
>(V1, 'MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', { namespaced: false });

export const validatingWebhookConfigurations = defineResource<
  Stored<admissionregistration.ValidatingWebhookConfiguration>
>(V1, 'ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', { namespaced: false });
