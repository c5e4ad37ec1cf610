import { isDNS1123Label } from '../../api/names.ts';
import type { Namespace } from '../../api/objects.ts';
import { namespaces } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import type { Kind } from '../kind.ts';
import { invalid } from '../validation/field-error.ts';
import {
  validateKubeFinalizerName,
  validateLabelName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/object-meta.ts';
import { withField } from './with-field.ts';

/**
 * The kind Namespace.
 *
 * A namespace is deleted in two steps: it turns to Terminating and refuses new objects; then the
 * namespace controller, which has emptied it, takes the finalizer `kubernetes` out of its *spec*.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/namespace/strategy.go, storage/storage.go
 */
export const namespace: Kind<Namespace> = {
  resource: namespaces,

  setDefaults(namespace) {
    const { spec = {}, status = {} } = namespace;
    const complete = namespace.spec && namespace.status ? namespace : { ...namespace, spec, status };
    const labelled = withChanged(complete, 'metadata', withNameLabel);
    return withChanged(labelled, 'status', (value) => withDefaults(value, { phase: 'Active' }));
  },

  // The finalizer is no default: once taken out it must stay out.
  prepareForCreate(namespace) {
    const { finalizers = [] } = namespace.spec ?? {};
    return {
      ...namespace,
      spec: { finalizers: finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'] },
      status: { phase: 'Active' },
    };
  },

  validate: validateNamespace,

  prepareForUpdate: (namespace, old) => ({ ...namespace, spec: old.spec, status: old.status }),

  validateUpdate(namespace, old) {
    return [...validateNamespace(namespace), ...validateObjectMetaUpdate(namespace.metadata, old.metadata)];
  },

  prepareForStatusUpdate: (namespace, old) => withField(namespace, 'spec', old.spec),

  validateStatusUpdate(namespace, old) {
    const causes = validateObjectMetaUpdate(namespace.metadata, old.metadata);
    const { deletionTimestamp } = namespace.metadata;
    const phase = namespace.status.phase ?? '';
    const [expected, when] = deletionTimestamp ? ['Terminating', 'is not empty'] : ['Active', 'is empty'];
    if (phase !== expected) {
      const detail = `may only be '${expected}' if \`deletionTimestamp\` ${when}`;
      causes.push(invalid('status.Phase', phase, detail));
    }
    return causes;
  },

  // That `name` can be selected is a slip of upstream's that clients have come to use.
  selectableFields: ({ metadata, status }) => ({ 'status.phase': status?.phase ?? '', name: metadata.name }),

  selectableFieldNames: ['status.phase', 'name'],

  validateName: isDNS1123Label,

  termination: { begin: asTerminating, isFinalized },
};

/**
 * The namespace as it is while it waits for its end: what a delete makes of it, besides the metadata.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/namespace/storage/storage.go REST.Delete
 */
export function asTerminating(namespace: Namespace): Namespace {
  return namespace.status.phase === 'Terminating'
    ? namespace
    : { ...namespace, status: { ...namespace.status, phase: 'Terminating' } };
}

/**
 * Are there no finalizers in the spec any more? Only then may a namespace that is being deleted go.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/namespace/storage/storage.go
 * ShouldDeleteNamespaceDuringUpdate
 */
export function isFinalized(namespace: Namespace): boolean {
  return (namespace.spec.finalizers ?? []).length === 0;
}

/** The name as a label, for selectors of namespaces to name one. A client can neither drop nor change it. */
function withNameLabel(metadata: Namespace['metadata']): Namespace['metadata'] {
  const { name, labels = {} } = metadata;
  if (!name || labels[METADATA_NAME] === name) return metadata;
  return { ...metadata, labels: { ...labels, [METADATA_NAME]: name } };
}

const METADATA_NAME = 'kubernetes.io/metadata.name';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateNamespace */
function validateNamespace(namespace: Namespace): Cause[] {
  const { metadata, spec } = namespace;
  return [
    ...validateObjectMeta(metadata, { namespaced: false, validateName: isDNS1123Label }),
    ...(spec.finalizers ?? []).flatMap((finalizer) => [
      ...validateLabelName(finalizer, FINALIZERS),
      ...validateKubeFinalizerName(finalizer, FINALIZERS),
    ]),
  ];
}

/** The whole list: upstream does not say which one is wrong. */
const FINALIZERS = 'spec.finalizers';
