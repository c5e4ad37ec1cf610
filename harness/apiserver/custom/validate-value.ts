import { quote } from '../../api/names.ts';
import type { Cause } from '../../api/status.ts';
import {
  equalJson,
  isList,
  isObject,
  type Json,
  type JsonList,
  type JsonObject,
} from '../patch/json-value.ts';
import { invalid, notSupported, required, tooLong, tooMany, typeInvalid } from '../validation/field-error.ts';
import { CorrelatedValue } from './correlated-value.ts';
import { formatOf } from './formats.ts';
import { regularExpression } from './regular-expression.ts';
import { isInt64, Result } from './schema-result.ts';
import { child, type StructuralSchema, schemaOfItems } from './structural-schema.ts';
import { numberResult } from './validate-number.ts';

/**
 * Validates a value against its schema.
 *
 * Tolerates violations in unchanged parts of the old value: in maps by field, in lists only if their type is `map`.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/validation/validation.go ValidateCustomResource,
 * ratcheting.go RatchetingSchemaValidator; the checks and their words are those of
 * kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/validation/validate/schema.go SchemaValidator
 *
 * @param path - the path of the value in the client's object; empty for the whole object
 * @param old - the previous value, for an update
 */
export function validateValue(
  schema: StructuralSchema,
  value: Json,
  path = '',
  old?: Json,
): readonly Cause[] {
  const node = old === undefined ? undefined : new CorrelatedValue(value, old, schema);
  return (node ? ratcheted(schema, value, '', node) : check(schema, value, '')).causes(path);
}

/** Upstream: ratchetingValueValidator.Validate */
function ratcheted(schema: StructuralSchema, value: Json, path: string, node: CorrelatedValue): Result {
  const result = check(schema, value, path, node);
  return !result.isValid && node.isSame ? result.forgiven() : result;
}

/** Upstream: SubPropertyValidator and SubIndexValidator */
function below(
  schema: StructuralSchema,
  value: Json,
  path: string,
  node: CorrelatedValue | undefined,
): Result {
  return node ? ratcheted(schema, value, path, node) : check(schema, value, path);
}

/**
 * Counts the successful checks, because the closest of several alternatives reports its violations.
 *
 * @param node - the previous value for the comparison of parts; undefined in alternatives
 */
function check(schema: StructuralSchema, value: Json, path: string, node?: CorrelatedValue): Result {
  const result = new Result();
  const { allOf, anyOf, oneOf, not } = schema;
  if (value === null) {
    return result.merge(typeResult(schema, value, path)).merge(enumResult(schema, value, path));
  }
  const also = (part: Result | undefined): void => {
    if (part) result.merge(part);
    result.matches++;
  };
  if (typesOf(schema).length > 0 || formatNameOf(schema)) also(typeResult(schema, value, path));
  also(allOf || anyOf || oneOf || not ? logicResult(schema, value, path) : new Result(1));
  if (typeof value === 'string') {
    also(stringResult(schema, value, path));
    const format = formatOf(formatNameOf(schema));
    if (format) also(format(value) ? undefined : wrongType(path, formatNameOf(schema), value));
  }
  if (typeof value === 'number') also(numberResult(schema, value, path));
  if (isList(value)) also(listResult(schema, value, path, node));
  also(enumResult(schema, value, path));
  if (isObject(value)) also(objectResult(schema, value, path, node));
  result.matches++;
  return result;
}

/** Upstream: ConvertJSONSchemaPropsWithPostProcess */
function typesOf(schema: StructuralSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string'];
  return schema.type ? [schema.type] : [];
}

/**
 * Returns the format; a format that does not exist for the type counts as none.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/validation/formats.go
 * StripUnsupportedFormatsPostProcessorForVersion
 */
function formatNameOf(schema: StructuralSchema): string {
  const { format = '' } = schema;
  return format && isSupportedFormat(format, schema['x-kubernetes-int-or-string'] ? '' : (schema.type ?? ''))
    ? format
    : '';
}

/** Reports whether values of the type are checked against this format. Upstream: GetUnrecognizedFormats */
export function isSupportedFormat(format: string, type: string): boolean {
  switch (type) {
    case '':
    case 'string':
      return formatOf(format) !== undefined;
    case 'integer':
      return format === 'int32' || format === 'int64';
    case 'number':
      return format === 'float' || format === 'double';
    default:
      return false;
  }
}

/** Returns Go's type and format of a value. Upstream: typeValidator.schemaInfoForType */
function typeAndFormatOf(value: Json): readonly [type: string, format: string] {
  if (value === null) return ['null', ''];
  if (isList(value)) return ['array', ''];
  if (isObject(value)) return ['object', ''];
  if (typeof value === 'number') return isInt64(value) ? ['integer', 'int64'] : ['number', 'float64'];
  return [typeof value, ''];
}

const wrongType = (path: string, type: string, value: string): Result =>
  Result.failed(path, `${path} in body must be of type ${type}: ${quote(value)}`, (where, message) =>
    typeInvalid(where, value, message),
  );

/** Upstream: typeValidator.Validate */
function typeResult(schema: StructuralSchema, value: Json, path: string): Result {
  const types = typesOf(schema);
  const joined = types.join(',');
  const [type, format] = typeAndFormatOf(value);
  if (value === null) {
    return types.length > 0 && !schema.nullable ? wrongType(path, joined, 'null') : new Result(1);
  }
  const wanted = formatNameOf(schema);
  const isWanted = types.includes(type) || (type === 'integer' && types.includes('number'));
  const mayHaveFormat = typeof value === 'string' || isList(value);
  if (wanted && !mayHaveFormat && !isWanted && wanted !== format) return wrongType(path, wanted, format);
  const isNumeric = types.includes('number') || types.includes('integer');
  if (wanted && mayHaveFormat && !isNumeric) return new Result(1);
  return isWanted || types.length === 0 ? new Result(1) : wrongType(path, joined, type);
}

/** Upstream: basicCommonValidator.Validate; a null is none of the values, whatever they are. */
function enumResult(schema: StructuralSchema, value: Json, path: string): Result | undefined {
  const values = (schema.enum ?? []) as readonly Json[];
  if (values.length === 0) return undefined;
  const isOne = (allowed: Json): boolean =>
    typeof value === 'number' && typeof allowed === 'number' && isInt64(allowed)
      ? Math.trunc(value) === allowed
      : equalJson(value, allowed);
  if (value !== null && values.some(isOne)) return undefined;
  const told = values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  const message = `${path} in body should be one of [${told.join(' ')}]`;
  return Result.failed(path, message, (where) => notSupported(where, value, told));
}

/** Upstream: stringValidator.Validate */
function stringResult(schema: StructuralSchema, value: string, path: string): Result | undefined {
  const { minLength, maxLength, pattern } = schema;
  const length = [...value].length;
  if (given(maxLength) && length > maxLength) {
    const message = `${path} in body should be at most ${maxLength} chars long`;
    return Result.failed(path, message, (where) => tooLong(where, maxLength));
  }
  const why =
    given(minLength) && length < minLength
      ? `should be at least ${minLength} chars long`
      : pattern && !matches(pattern, value)
        ? `should match '${shownPattern(pattern)}'`
        : undefined;
  if (why === undefined) return undefined;
  return Result.failed(path, `${path} in body ${why}`, (where, message) => invalid(where, value, message));
}

/** Upstream: schemaSliceValidator.Validate */
function listResult(
  schema: StructuralSchema,
  list: JsonList,
  path: string,
  node: CorrelatedValue | undefined,
): Result {
  const result = new Result();
  const items = schemaOfItems(schema);
  const { minItems, maxItems } = schema;
  const size = list.length;
  if (items) {
    list.forEach((item, i) => {
      result.merge(below(items, item, `${path}[${i}]`, node?.index(i)));
    });
  }
  if (given(minItems) && size < minItems) {
    const message = `${path} in body should have at least ${minItems} items`;
    result.add(path, message, (where) => invalid(where, size, message));
  }
  if (given(maxItems) && size > maxItems) {
    const message = `${path} in body should have at most ${maxItems} items`;
    result.add(path, message, (where) => tooMany(where, size, maxItems));
  }
  result.matches++;
  return result;
}

/** Upstream: objectValidator.Validate */
function objectResult(
  schema: StructuralSchema,
  object: JsonObject,
  path: string,
  node: CorrelatedValue | undefined,
): Result {
  const result = new Result();
  const { properties = {}, additionalProperties, minProperties, maxProperties } = schema;
  const count = Object.keys(object).length;
  if (given(minProperties) && count < minProperties) {
    const message = `${path} in body should have at least ${minProperties} properties`;
    result.add(path, message, (where) => invalid(where, count, message));
  }
  if (given(maxProperties) && count > maxProperties) {
    const message = `${path} in body should have at most ${maxProperties} properties`;
    result.add(path, message, (where) => tooMany(where, count, maxProperties));
  }
  const at = (name: string): CorrelatedValue | undefined =>
    // Both sides have been converted to one version, so a change of kind or apiVersion means nothing.
    path === '' && (name === 'kind' || name === 'apiVersion') ? undefined : node?.key(name);
  for (const [name, part] of Object.entries(object)) {
    if (Object.hasOwn(properties, name)) continue;
    if (additionalProperties === false) {
      const message = `${path}.${name} in body is a forbidden property`;
      result.add(path, message, (where) => invalid(where, name, message));
    } else if (typeof additionalProperties === 'object') {
      result.merge(below(additionalProperties, part, `${path}.${name}`, at(name)));
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    const part = Object.hasOwn(object, name) ? object[name] : undefined;
    if (part !== undefined) {
      result.merge(below(property, part, child(path, name), at(name)));
    }
  }
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(object, name) && object[name] !== undefined) continue;
    result.add(`${path}.${name}`, `${path}.${name} in body is required`, (where) => required(where));
  }
  return result;
}

/** Upstream: schemaPropsValidator.Validate */
function logicResult(schema: StructuralSchema, value: Json, path: string): Result {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  const result = new Result();
  if (anyOf.length > 0) {
    const { held, best } = tried(anyOf, value, path, true);
    if (held === 0) result.addPlain(`${quote(path)} must validate at least one schema (anyOf)`);
    result.merge(best);
  }
  if (oneOf.length > 0) {
    const { held, best } = tried(oneOf, value, path, false);
    if (held !== 1) {
      const found = held === 0 ? 'Found none valid' : `Found ${held} valid alternatives`;
      result.addPlain(`${quote(path)} must validate one and only one schema (oneOf). ${found}`);
    }
    if (held <= 1) result.merge(best);
  }
  const all = allOf.map((part) => check(part, value, path));
  for (const each of all) result.merge(each);
  const held = all.filter((each) => each.isValid).length;
  if (held < all.length) {
    const none = held === 0 ? '. None validated' : '';
    result.addPlain(`${quote(path)} must validate all the schemas (allOf)${none}`);
  }
  if (not && check(not, value, path).isValid)
    result.addPlain(`${quote(path)} must not validate the schema (not)`);
  result.matches++;
  return result;
}

/** Returns the number of valid alternatives, and the first valid or else the closest one. */
function tried(
  alternatives: readonly StructuralSchema[],
  value: Json,
  path: string,
  oneIsEnough: boolean,
): { held: number; best: Result } {
  let held = 0;
  let best: Result | undefined;
  for (const alternative of alternatives) {
    const result = check(alternative, value, path);
    if (result.isValid) {
      if (held === 0) best = result;
      held++;
      if (oneIsEnough) break;
    } else if (held === 0 && (!best || result.matches > best.matches)) best = result;
  }
  return { held, best: best ?? new Result() };
}

function matches(pattern: string, value: string): boolean {
  const expression = regularExpression(pattern);
  return typeof expression !== 'string' && expression.test(value);
}

/** Returns an expression and its syntax error, if any. */
function shownPattern(pattern: string): string {
  const expression = regularExpression(pattern);
  return typeof expression === 'string' ? `${pattern}, but pattern is invalid: ${expression}` : pattern;
}

/** A limit that is null does not apply. */
const given = <T>(limit: T | null | undefined): limit is T => limit !== undefined && limit !== null;
