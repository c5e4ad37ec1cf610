import type * as core from '#api/core/v1';
import { isQualifiedName } from '../../api/names.ts';
import type { StorageClass } from '../../api/objects.ts';
import { storageClasses } from '../../api/plain-resources.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, named, oneOf, type Rule, required } from '../declare/rules.ts';
import { duplicate, invalid, tooLong } from '../validation/field-error.ts';
import { validateLabelName } from '../validation/object-meta.ts';

/** Upstream: validateParameters */
const parameters: Rule<Record<string, string>> = (value = {}, path) => {
  const entries = Object.entries(value);
  if (entries.length > COUNT_MAX) return [tooLong(path, COUNT_MAX)];
  const causes = entries.flatMap(([key]) => (key ? [] : [invalid(path, key, 'field can not be empty.')]));
  const bytes = entries.reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
  return bytes > BYTES_MAX ? [...causes, tooLong(path, BYTES_MAX)] : causes;
};

const COUNT_MAX = 512;
const BYTES_MAX = 256 * 1024;

const topologyRequirement: Rule<core.TopologySelectorLabelRequirement> = (requirement, path) => {
  const { key = '' } = requirement ?? {};
  // Go prints a missing list as null.
  const values = requirement?.values ?? [];
  return [
    ...required<string[]>()(values, `${path}.values`),
    ...values.flatMap((value, i) =>
      values.indexOf(value) < i ? [duplicate(`${path}.values[${i}]`, value)] : [],
    ),
    ...validateLabelName(key, `${path}.key`),
  ];
};

/** Upstream: validateAllowedTopologies */
const topologies: Rule<readonly core.TopologySelectorTerm[]> = (terms = [], path) =>
  terms.flatMap(({ matchLabelExpressions = [] }, i) => {
    const at = `${path}[${i}].matchLabelExpressions`;
    const keys = matchLabelExpressions.map(({ key }) => key);
    const causes: Cause[] = matchLabelExpressions.flatMap((requirement, j) => [
      ...topologyRequirement(requirement, `${at}[${j}]`),
      ...(keys.indexOf(requirement.key) < j ? [duplicate(`${at}[${j}].key`, requirement.key)] : []),
    ]);
    const isSame = (term: core.TopologySelectorTerm) => semanticEqual(sorted(term), sorted(terms[i]));
    return [
      ...causes,
      ...terms
        .slice(0, i)
        .filter(isSame)
        .map(() => duplicate(at, '')),
    ];
  });

/** Normalizes a topology term: sorted, without duplicates. */
function sorted(term: core.TopologySelectorTerm | undefined): object {
  return Object.fromEntries(
    (term?.matchLabelExpressions ?? []).map(({ key, values }) => [
      key,
      [...new Set(values ?? [])].toSorted(),
    ]),
  );
}

/**
 * The kind StorageClass. Its provisioner and parameters never change.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/storage/storageclass/strategy.go, pkg/apis/storage/v1/defaults.go
 * SetDefaults_StorageClass, pkg/apis/storage/validation/validation.go ValidateStorageClass
 *
 * Differs: deprecated node labels cause no warning.
 */
export const storageClass = declareKind<StorageClass>({
  resource: storageClasses,
  setDefaults: (object) => withDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  rules: [
    fields<StorageClass>({
      provisioner: required(named((text) => isQualifiedName(text.toLowerCase()))),
      parameters,
      reclaimPolicy: oneOf('Delete', 'Retain'),
      volumeBindingMode: oneOf('Immediate', 'WaitForFirstConsumer'),
      allowedTopologies: topologies,
    }),
  ],
  immutable: ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'],
});
