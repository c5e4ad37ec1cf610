import type { ParamRef, ValidatingAdmissionPolicyBindingSpec } from '#api/admissionregistration/v1';
import { isDNS1123Subdomain, isValidPathSegmentName } from '../../../api/names.ts';
import type { ValidatingAdmissionPolicyBinding } from '../../../api/objects.ts';
import { validatingAdmissionPolicyBindings } from '../../../api/plain-resources.ts';
import type { Cause } from '../../../api/status.ts';
import { withChanged } from '../../copy-on-write.ts';
import { declareKind } from '../../declare/declare-kind.ts';
import { fields, labelSelector, named, oneOf, optional, type Rule, required } from '../../declare/rules.ts';
import {
  duplicate,
  forbidden,
  invalid,
  required as missing,
  notSupported,
} from '../../validation/field-error.ts';
import { reservedNameWarnings } from './expressions.ts';
import { matchResources, withMatchDefaults } from './match-resources.ts';

const EXCLUSIVE = 'name and selector are mutually exclusive';

/** Upstream: validateParamRef */
const paramRef: Rule<ParamRef> = (ref = {}, path) => {
  const { name, selector, parameterNotFoundAction: action } = ref;
  const both = (field: string) => (name && selector ? [forbidden(`${path}.${field}`, EXCLUSIVE)] : []);
  const causes: Cause[] = [...named(isValidPathSegmentName)(name, `${path}.name`), ...both('name')];
  causes.push(...labelSelector(selector ?? undefined, `${path}.selector`), ...both('selector'));
  if (!name && !selector) causes.push(missing(path, 'one of name or selector must be specified'));
  return [...causes, ...required(oneOf('Deny', 'Allow'))(action, `${path}.parameterNotFoundAction`)];
};

const ACTIONS = ['Audit', 'Deny', 'Warn'];

/** Upstream: validateValidationActions */
const validationActions: Rule<readonly string[]> = (actions = [], path) => {
  const causes = actions.flatMap((action, i) => [
    ...(ACTIONS.includes(action) ? [] : [notSupported(`${path}[${i}]`, action, ACTIONS)]),
    ...(actions.indexOf(action) < i ? [duplicate(`${path}[${i}]`, action)] : []),
  ]);
  if (actions.includes('Deny') && actions.includes('Warn')) {
    const why =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    causes.push(invalid(path, actions, why));
  }
  if (actions.length === 0) causes.push(missing(path, 'at least one validation action is required'));
  return causes;
};

/**
 * The kind ValidatingAdmissionPolicyBinding.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3
 * pkg/registry/admissionregistration/validatingadmissionpolicybinding/strategy.go,
 * pkg/apis/admissionregistration/validation/validation.go ValidateValidatingAdmissionPolicyBinding
 *
 * Differs: the user needs no permission for the parameters.
 */
export const validatingAdmissionPolicyBinding = declareKind<ValidatingAdmissionPolicyBinding>({
  resource: validatingAdmissionPolicyBindings,
  hasPlainFinalizers: true,
  allowUnconditionalUpdate: false,
  revalidates: 'after metadata',
  generationOf: ({ spec }) => spec,
  setDefaults: (object) =>
    withChanged(object, 'spec', (spec) => withChanged(spec, 'matchResources', withMatchDefaults)),
  rules: [
    fields<ValidatingAdmissionPolicyBinding>({
      spec: fields<ValidatingAdmissionPolicyBindingSpec>({
        policyName: required(named(isDNS1123Subdomain)),
        paramRef: optional(paramRef),
        matchResources: optional(matchResources),
        validationActions,
      }),
    }),
  ],
  warningsOnCreate: reservedNameWarnings,
  warningsOnUpdate: reservedNameWarnings,
});
