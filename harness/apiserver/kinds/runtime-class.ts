import type * as node from '#api/node/v1';
import { isDNS1123Label } from '../../api/names.ts';
import type { RuntimeClass } from '../../api/objects.ts';
import { runtimeClasses } from '../../api/plain-resources.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import { withChanged } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, named, optional, required } from '../declare/rules.ts';
import { duplicate } from '../validation/field-error.ts';
import { validateLabels } from '../validation/object-meta.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';
import { canonicalResourceList } from './pod/quantities.ts';
import { validateResourceRequirements } from './pod/resources.ts';
import { validateTolerations } from './pod/tolerations.ts';

const TOLERATION: GoStruct = {
  Key: ['key', ''],
  Operator: ['operator', ''],
  Value: ['value', ''],
  Effect: ['effect', ''],
  TolerationSeconds: ['tolerationSeconds', null],
};

/** Upstream: validateScheduling */
const scheduling = fields<node.Scheduling>({
  nodeSelector: validateLabels,
  tolerations: (tolerations = [], path) => [
    ...validateTolerations(tolerations, path),
    ...tolerations.flatMap((toleration, i) => {
      const listed = { ...toleration, tolerationSeconds: undefined };
      const isSeen = tolerations
        .slice(0, i)
        .some((earlier) => semanticEqual({ ...earlier, tolerationSeconds: undefined }, listed));
      return isSeen ? [duplicate(`${path}[${i}]`, inGoNames(toleration, TOLERATION))] : [];
    }),
  ],
});

/**
 * The kind RuntimeClass: its handler never changes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/node/runtimeclass/strategy.go, pkg/apis/node/validation/validation.go
 * ValidateRuntimeClass
 */
export const runtimeClass = declareKind<RuntimeClass>({
  resource: runtimeClasses,
  allowUnconditionalUpdate: false,
  setDefaults: (object) =>
    withChanged(object, 'overhead', (overhead) => withChanged(overhead, 'podFixed', canonicalResourceList)),
  rules: [
    fields<RuntimeClass>({
      handler: required(named(isDNS1123Label)),
      overhead: optional((overhead, path) =>
        validateResourceRequirements({ limits: overhead?.podFixed ?? {} }, path),
      ),
      scheduling: optional(scheduling),
    }),
  ],
  immutable: ['handler'],
});
