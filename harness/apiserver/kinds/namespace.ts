import { isDNS1123Label } from '../../api/names.ts';
import type { Namespace } from '../../api/objects.ts';
import { namespaces } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { invalid } from '../validation/field-error.ts';
import { validateKubeFinalizerName, validateLabelName } from '../validation/object-meta.ts';
import { withField } from './with-field.ts';

const ACTIVE = Object.freeze({ phase: 'Active' });

/**
 * The kind Namespace.
 *
 * A namespace is deleted in two steps. First it becomes Terminating and rejects new objects. Then the namespace
 * controller, which has deleted its contents, removes the finalizer `kubernetes` from its *spec*.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/namespace/strategy.go, storage/storage.go
 */
export const namespace = declareKind<Namespace>({
  resource: namespaces,
  validateName: isDNS1123Label,
  revalidates: 'before metadata',
  // Upstream offers `name` by mistake, and clients use it.
  selectable: { 'status.phase': ({ status }) => status.phase ?? '', name: ({ metadata }) => metadata.name },
  termination: { begin: asTerminating, isFinalized },

  setDefaults: (object) =>
    withChanged(withChanged(object, 'metadata', withNameLabel), 'status', (status) =>
      withDefaults(status, ACTIVE),
    ),
  // The finalizer is not a default: an update that removes it must not restore it.
  prepareForCreate: withFinalizer,
  newStatus: () => ACTIVE,
  prepareForUpdate: (object, old) => withField(object, 'spec', old.spec),

  rules: [validateFinalizers],
  statusRules: [validatePhase],
});

/**
 * Returns the namespace as a delete leaves it while it terminates, apart from the metadata.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/namespace/storage/storage.go REST.Delete
 */
export function asTerminating(namespace: Namespace): Namespace {
  return namespace.status.phase === 'Terminating'
    ? namespace
    : { ...namespace, status: { ...namespace.status, phase: 'Terminating' } };
}

/**
 * Does the spec have no finalizers left? Only then can a deleted namespace be removed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/namespace/storage/storage.go
 * ShouldDeleteNamespaceDuringUpdate
 */
export function isFinalized(namespace: Namespace): boolean {
  return (namespace.spec.finalizers ?? []).length === 0;
}

/**
 * Sets the name as a label, so that namespace selectors can match by name. Clients can neither remove nor change it.
 */
function withNameLabel(metadata: Namespace['metadata']): Namespace['metadata'] {
  const { name, labels = {} } = metadata;
  if (!name || labels[METADATA_NAME] === name) return metadata;
  return { ...metadata, labels: { ...labels, [METADATA_NAME]: name } };
}

const METADATA_NAME = 'kubernetes.io/metadata.name';

function withFinalizer(namespace: Namespace): Namespace {
  const { finalizers = [] } = namespace.spec;
  const all = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'];
  return withField(namespace, 'spec', withField(namespace.spec, 'finalizers', all));
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateNamespace */
function validateFinalizers({ spec }: Namespace): Cause[] {
  return (spec.finalizers ?? []).flatMap((finalizer) => [
    ...validateLabelName(finalizer, FINALIZERS),
    ...validateKubeFinalizerName(finalizer, FINALIZERS),
  ]);
}

/** Upstream reports the whole list, not the invalid finalizer. */
const FINALIZERS = 'spec.finalizers';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateNamespaceStatusUpdate */
function validatePhase({ metadata, status: { phase = '' } }: Namespace): Cause[] {
  const [expected, when] = metadata.deletionTimestamp
    ? ['Terminating', 'is not empty']
    : ['Active', 'is empty'];
  if (phase === expected) return [];
  return [invalid('status.Phase', phase, `may only be '${expected}' if \`deletionTimestamp\` ${when}`)];
}
