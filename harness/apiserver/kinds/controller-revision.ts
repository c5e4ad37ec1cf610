import type { ControllerRevision } from '../../api/objects.ts';
import { controllerRevisions } from '../../api/plain-resources.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, nonnegative } from '../declare/rules.ts';
import { required } from '../validation/field-error.ts';

/**
 * The kind ControllerRevision: its data never change.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/controllerrevision/strategy.go,
 * pkg/apis/apps/validation/validation.go ValidateControllerRevisionCreate
 */
export const controllerRevision = declareKind<ControllerRevision>({
  resource: controllerRevisions,
  rules: [fields<ControllerRevision>({ revision: nonnegative })],
  createRules: [
    ({ data }) => {
      if (data === undefined || data === null) return [required('data', 'data is mandatory')];
      const isObject = typeof data === 'object' && !Array.isArray(data);
      return isObject ? [] : [required('data', 'data must be a valid JSON object')];
    },
  ],
  immutable: ['data'],
});
