import type * as admissionregistration from '#api/admissionregistration/v1';
import { isDNS1035Label, isDNS1123Subdomain, isQualifiedName } from '../../../api/names.ts';
import type { ValidatingAdmissionPolicy } from '../../../api/objects.ts';
import { validatingAdmissionPolicies } from '../../../api/plain-resources.ts';
import type { Cause } from '../../../api/status.ts';
import { withChanged, withDefaults } from '../../copy-on-write.ts';
import { declareKind } from '../../declare/declare-kind.ts';
import { all, each, fields, oneOf, optional, type Rule, required } from '../../declare/rules.ts';
import { validateConditions } from '../../validation/conditions.ts';
import { duplicate, invalid, invalidEach, required as missing } from '../../validation/field-error.ts';
import { type GoStruct, inGoNames } from '../pod/go-names.ts';
import { expression, matchConditions, reservedNameWarnings } from './expressions.ts';
import { matchResources, withMatchDefaults } from './match-resources.ts';

type Spec = admissionregistration.ValidatingAdmissionPolicySpec;

/** Upstream: validateParamKind */
const paramKind: Rule<admissionregistration.ParamKind> = ({ apiVersion = '', kind = '' } = {}, path) => {
  const causes: Cause[] = [];
  const refuse = (field: string, value: string, why: string): void => {
    if (why) causes.push(invalid(`${path}.${field}`, value, why));
  };
  const [version = '', group = '', ...rest] = apiVersion === '/' ? [] : apiVersion.split('/').reverse();
  if (!apiVersion) causes.push(missing(`${path}.apiVersion`));
  else if (rest.length > 0) refuse('apiVersion', apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  else {
    if (group) refuse('apiVersion', group, isDNS1123Subdomain(group).join(','));
    if (version) refuse('apiVersion', version, isDNS1035Label(version).join(','));
    else refuse('apiVersion', apiVersion, 'version must be specified');
  }
  const reasons = isDNS1035Label(kind.toLowerCase()).join(',');
  if (!kind) causes.push(missing(`${path}.kind`));
  else if (reasons) refuse('kind', kind, `may have mixed case, but should otherwise match: ${reasons}`);
  return causes;
};

const matchConstraints: Rule<admissionregistration.MatchResources> = (value, path) =>
  value === undefined
    ? [missing(path)]
    : [...matchResources(value, path), ...required()(value.resourceRules, `${path}.resourceRules`)];

/** Upstream: isCELIdentifier */
const variableName: Rule<string> = (name, path) => {
  if (!name?.trim()) return [missing(path, 'name is not specified')];
  const isIdentifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !CEL_RESERVED.has(name);
  return isIdentifier ? [] : [invalid(path, name, 'must be a valid CEL identifier')];
};

const CEL_RESERVED = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if'],
  ...['import', 'let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
]);

const notBlank: Rule<string> = (text, path) =>
  text && !text.trim() ? [invalid(path, text, 'must be non-empty if specified')] : [];

const singleLine: Rule<string> = (text = '', path) =>
  /[\n\r]/.test(text.trim()) ? [invalid(path, text, 'must not contain line breaks')] : [];

/** Upstream: validateValidation */
const validation = fields<admissionregistration.Validation>({
  expression: expression('expression is not specified'),
  messageExpression: notBlank,
  message: all(notBlank, singleLine),
  reason: oneOf('Forbidden', 'Invalid', 'RequestEntityTooLarge'),
});

const ANNOTATION: GoStruct = { Key: ['key', ''], ValueExpression: ['valueExpression', ''] };
const ANNOTATIONS_MAX = 20;
const ANNOTATION_BYTES_MAX = 5 * 1024;

/** Upstream: validateAuditAnnotation */
const annotationValue: Rule<string> = (text = '', path) =>
  Buffer.byteLength(text.trim()) > ANNOTATION_BYTES_MAX
    ? [missing(path, `must not exceed ${ANNOTATION_BYTES_MAX} bytes in length`)]
    : expression('valueExpression is not specified')(text, path);

const auditAnnotations =
  (policy: string): Rule<readonly admissionregistration.AuditAnnotation[]> =>
  (annotations = [], path) => {
    const causes: Cause[] = [];
    if (annotations.length > ANNOTATIONS_MAX) {
      const shown = inGoNames(annotations, ANNOTATION);
      causes.push(invalid(path, shown, `must not have more than ${ANNOTATIONS_MAX} auditAnnotations`));
    }
    annotations.forEach(({ key = '', valueExpression }, i) => {
      const at = `${path}[${i}]`;
      const name = `${policy}/${key}`;
      if (policy) causes.push(...invalidEach(`${at}.key`, name, isQualifiedName(name)));
      else causes.push(invalid(`${at}.key`, key, 'requires metadata.name be non-empty'));
      causes.push(...annotationValue(valueExpression, `${at}.valueExpression`));
      const isSeen = annotations.slice(0, i).some((earlier) => (earlier.key ?? '') === key);
      if (isSeen) causes.push(duplicate(`${at}.key`, key));
    });
    return causes;
  };

/** Upstream: validateValidatingAdmissionPolicySpec */
function validateSpec(spec: Spec, policy: string): readonly Cause[] {
  const path = 'spec';
  const { validations, auditAnnotations: annotations } = spec;
  const none = 'validations or auditAnnotations must contain at least one item';
  return [
    ...specFields(spec, path),
    ...(validations?.length || annotations?.length
      ? [
          ...each(validation)(validations ?? [], `${path}.validations`),
          ...auditAnnotations(policy)(annotations ?? [], `${path}.auditAnnotations`),
        ]
      : [missing(`${path}.validations`, none), missing(`${path}.auditAnnotations`, none)]),
  ];
}

const specFields = fields<Spec>({
  failurePolicy: (value, path) =>
    value === undefined ? [missing(path)] : oneOf('Fail', 'Ignore')(value, path),
  paramKind: optional(paramKind),
  matchConstraints,
  matchConditions,
  variables: each(
    fields<admissionregistration.Variable>({
      name: variableName,
      expression: expression('expression is not specified'),
    }),
  ),
});

/** Upstream: validateExpressionWarning */
const expressionWarning = fields<admissionregistration.ExpressionWarning>({
  warning: required(),
  fieldRef: (text, path) => (text?.trim() ? [] : [missing(path)]),
});

/**
 * The kind ValidatingAdmissionPolicy.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/admissionregistration/validatingadmissionpolicy/strategy.go,
 * pkg/apis/admissionregistration/validation/validation.go ValidateValidatingAdmissionPolicy
 *
 * Differs: expressions are neither compiled nor checked for their types, so no controller writes the status, and a
 * warning reports it. The user needs no permission for the parameters. The paths in the status are not parsed.
 */
export const validatingAdmissionPolicy = declareKind<ValidatingAdmissionPolicy>({
  resource: validatingAdmissionPolicies,
  hasPlainFinalizers: true,
  allowUnconditionalUpdate: false,
  revalidates: 'after metadata',
  statusHasMetadata: false,
  resetFields: { status: ['spec', 'metadata'] },
  generationOf: ({ spec }) => spec,
  setDefaults: (object) =>
    withChanged(object, 'spec', (spec) =>
      withDefaults(withChanged(spec, 'matchConstraints', withMatchDefaults), { failurePolicy: 'Fail' }),
    ),
  rules: [({ metadata, spec }) => validateSpec(spec, metadata.name)],
  statusRules: [
    fields<ValidatingAdmissionPolicy>({
      status: fields<admissionregistration.ValidatingAdmissionPolicyStatus>({
        typeChecking: fields<admissionregistration.TypeChecking>({
          expressionWarnings: each(expressionWarning),
        }),
        conditions: (conditions = [], path) => validateConditions(conditions, path),
      }),
    }),
  ],
  warningsOnCreate: (object) => [...reservedNameWarnings(object), NOT_EVALUATED],
  warningsOnUpdate: (object) => [...reservedNameWarnings(object), NOT_EVALUATED],
});

const NOT_EVALUATED = 'spec: the expressions of a policy are stored and not evaluated here';
