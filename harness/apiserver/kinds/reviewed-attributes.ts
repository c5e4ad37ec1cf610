import type * as authorization from '#api/authorization/v1';
import { escapeValue, parseSelector } from '../../api/field-selector.ts';
import { parse as parseLabelSelector, SelectorError } from '../../api/label-selector.ts';
import type { Attributes, User } from '../../contracts/access/index.ts';

interface Reviewed {
  readonly attributes: Attributes;
  /** The selectors that cannot be read, in the words of the apiserver. Their review is about everything. */
  readonly ignored: readonly string[];
}

/**
 * Returns the attributes of the request that a review describes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/authorization/util/helpers.go ResourceAttributesFrom,
 * NonResourceAttributesFrom, BuildEvaluationError
 *
 * Differs: no authorizer here reads label selectors, so the requirements of one are not read.
 */
export function reviewedAttributes(
  { resourceAttributes, nonResourceAttributes }: authorization.SelfSubjectAccessReviewSpec,
  user: User,
): Reviewed {
  if (!resourceAttributes) {
    const { verb = '', path = '' } = nonResourceAttributes ?? {};
    return { attributes: { ...NOTHING, user, verb, path }, ignored: [] };
  }
  const { fieldSelector, labelSelector, group = '', version, ...asked } = resourceAttributes;
  const fields = fieldSelector ? readFields(fieldSelector) : {};
  const labels = labelSelector?.rawSelector && !canParse(parseLabelSelector, labelSelector.rawSelector);
  return {
    attributes: {
      ...NOTHING,
      ...asked,
      user,
      isResourceRequest: true,
      apiGroup: group,
      apiVersion: version || '*',
      ...(fields.selector && { fieldSelector: fields.selector }),
    },
    ignored: [
      ...(fields.ignored ? [fields.ignored] : []),
      ...(labels ? [ignoredSelector('labelSelector')] : []),
    ],
  };
}

const NOTHING = {
  isResourceRequest: false,
  verb: '',
  path: '',
  apiGroup: '',
  apiVersion: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
} as const;

interface Fields {
  readonly selector?: string;
  readonly ignored?: string;
}

/** Upstream: fieldSelectorAsSelector */
function readFields({ rawSelector, requirements = [] }: authorization.FieldSelectorAttributes): Fields {
  if (requirements.length === 0) {
    const raw = rawSelector ?? '';
    return canParse(parseSelector, raw) ? { selector: raw } : { ignored: ignoredSelector('fieldSelector') };
  }
  const read = requirements.flatMap(({ key, operator, values = [] }) => {
    const sign = operator === 'In' ? '=' : operator === 'NotIn' ? '!=' : undefined;
    const [value, ...more] = values;
    if (sign === undefined || value === undefined || more.length > 0) return [];
    return [`${key}${sign}${escapeValue(value)}`];
  });
  const selector = read.join(',');
  if (read.length === requirements.length) return { selector };
  return { selector, ignored: ignoredSelector('fieldSelector', read.length > 0) };
}

const ignoredSelector = (field: 'fieldSelector' | 'labelSelector', partially = false): string =>
  `spec.resourceAttributes.${field} ${partially ? 'partially ' : ''}ignored due to parse error`;

function canParse(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
