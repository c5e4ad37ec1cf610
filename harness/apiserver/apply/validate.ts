import { quote } from '../../api/names.ts';
import { isList, isObject, type Json, type JsonObject } from '../patch/json-value.ts';
import { goFormat } from '../schema/go-format.ts';
import { itemElement } from './list-item.ts';
import { formOf, type ListSchema, type MapSchema, type MergeSchema, type Scalar } from './merge-schema.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { below, issue, TypedError, type TypedIssue } from './typed-error.ts';

/**
 * Checks an object against its schema: no unknown field, no value of another type, and no duplicate item in a list with
 * keys.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 typed/validate.go validatingObjectWalker
 *
 * @param duplicates - whether a list may have duplicate items
 *
 * @throws TypedError
 */
export function mustBeTyped(schema: MergeSchema, value: Json, duplicates: Duplicates = 'refused'): void {
  const issues = issuesOf(schema, value, duplicates);
  if (issues.length > 0) throw new TypedError(issues);
}

type Duplicates = 'refused' | 'allowed';
type Issues = readonly TypedIssue[];
const none: Issues = [];

function issuesOf(schema: MergeSchema, value: Json, duplicates: Duplicates): Issues {
  switch (formOf(schema, value)) {
    case 'map':
      return issuesOfMap(schema.map as MapSchema, value, duplicates);
    case 'list':
      return issuesOfList(schema.list as ListSchema, value, duplicates);
    default:
      return issuesOfScalar(schema.scalar as Scalar, value);
  }
}

function issuesOfMap(schema: MapSchema, value: Json, duplicates: Duplicates): Issues {
  if (value === null) return none;
  if (!isObject(value)) return issue(`expected map, got &{${goFormat(value)}}`);
  const issues: TypedIssue[] = [];
  for (const [name, part] of definedEntries(value)) {
    const type = schema.value(name);
    // Like upstream, stops at the first unknown field.
    if (!type) return [...issues, ...below(fieldElement(name), issue('field not declared in schema'))];
    issues.push(...below(fieldElement(name), issuesOf(type, part, duplicates)));
  }
  return issues;
}

function issuesOfList(schema: ListSchema, value: Json, duplicates: Duplicates): Issues {
  if (value === null) return none;
  if (!isList(value)) return issue(`expected list, got &{${goFormat(value)}}`);
  const issues: TypedIssue[] = [];
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    let element: PathElement = `i:${index}`;
    if (schema.type !== 'atomic') {
      try {
        element = itemElement(schema, item);
      } catch (error) {
        return [...issues, ...issue(`element ${index}: ${(error as Error).message}`)];
      }
      if (duplicates === 'refused' && seen.has(element)) {
        const [twice] = below(element, issue(''));
        issues.push(...issue(`duplicate entries for key ${twice?.path}`));
      }
      seen.add(element);
    }
    issues.push(...below(element, issuesOf(schema.item(), item, duplicates)));
  }
  return issues;
}

function issuesOfScalar(schema: Scalar, value: Json): Issues {
  if (value === null) return none;
  switch (schema) {
    case 'numeric':
      if (typeof value === 'number') return none;
      return issue(`expected numeric (int or float), got ${goType(value)}`);
    case 'string':
      if (typeof value === 'string') return none;
      return issue(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    case 'boolean':
      if (typeof value === 'boolean') return none;
      return issue(`expected boolean, got &{${goFormat(value)}}`);
    default:
      if (typeof value !== 'object') return none;
      return issue(`expected any scalar, got &{${goFormat(value)}}`);
  }
}

/** Returns the fields whose value is not undefined. */
export function definedEntries(map: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(map).filter(([, value]) => value !== undefined);
}

/** Implements the verb %T of Go's fmt. */
function goType(value: Json): string {
  if (isList(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** Implements the verb %#v of Go's fmt. */
function goSyntax(value: Json): string {
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (isObject(value)) {
    const entries = definedEntries(value).map(([key, part]) => `${quote(key)}:${goSyntax(part)}`);
    return `map[string]interface {}{${entries.join(', ')}}`;
  }
  if (value === null) return 'interface {}(nil)';
  return typeof value === 'string' ? quote(value) : String(value);
}
