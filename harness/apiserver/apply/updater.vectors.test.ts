import { describe, expect, test } from 'vitest';
import vectors from '../../conformance/server-side-apply.json' with { type: 'json' };
import type { Json } from '../patch/json-value.ts';
import { type FieldSet, pathsOf } from './field-set.ts';
import { deduced, type MergeSchema } from './merge-schema.ts';
import { pathText } from './path-element.ts';
import { readSchema, type WrittenSchema } from './schema.fixture.ts';
import { applyConfig, Conflicts, type Managers, managersAfterUpdate } from './updater.ts';
import { mustBeTyped } from './validate.ts';

interface Operation {
  readonly op: 'apply' | 'forceApply' | 'update';
  readonly manager: string;
  readonly object: Json;
  readonly conflicts?: readonly { readonly manager: string; readonly path: string }[];
}

interface Case {
  readonly id: string;
  readonly op: string;
  readonly name: string;
  readonly input: { readonly schema: string; readonly ops: readonly Operation[] };
  readonly expect: {
    readonly error?: true;
    readonly object?: Json;
    readonly managed?: Readonly<Record<string, readonly string[]>>;
  };
}

const cases = (vectors.cases as unknown as readonly Case[]).filter(({ op }) => op === 'merge');
const schemas = vectors.schemas as unknown as Readonly<Record<string, WrittenSchema>>;

const schemaNamed = (name: string): MergeSchema =>
  name === 'Deduced' ? deduced : readSchema(schemas[name] as WrittenSchema);

const none: Managers = new Map();

/** An object of a schema and its field owners, changed by each operation. */
class State {
  object: Json = null;
  managers = none;
  readonly #schema: MergeSchema;

  constructor(schema: MergeSchema) {
    this.#schema = schema;
  }

  run({ op, manager, object }: Operation): void {
    const writing = { schema: this.#schema, apiVersion: 'v1', manager, filter: (set: FieldSet) => set };
    const [live, managers] = [this.object, this.managers];
    if (op === 'update') {
      this.managers = managersAfterUpdate(live, object, managers, writing);
      this.object = object;
    } else {
      mustBeTyped(this.#schema, object);
      const applied = applyConfig(live, object, managers, { ...writing, force: op === 'forceApply' });
      this.managers = applied.managers;
      this.object = applied.object === undefined ? live : applied.object;
    }
  }

  /** The fields of each manager, as paths. */
  get owned(): Readonly<Record<string, readonly string[]>> {
    const entries = [...this.managers].map(([manager, { set }]) => [
      manager,
      [...pathsOf(set)].map(pathText).sort(),
    ]);
    return Object.fromEntries(entries);
  }
}

function conflictsOf(run: () => void): readonly { manager: string; path: string }[] | undefined {
  try {
    run();
  } catch (error) {
    if (!(error instanceof Conflicts)) throw error;
    return error.conflicts.map(({ manager, path }) => ({ manager, path: pathText(path) }));
  }
  return undefined;
}

describe('Server-side apply, upstream vectors', () => {
  test('includes all cases', () => {
    expect(cases.filter(({ expect: { error } }) => error)).toHaveLength(2);
    expect(cases).toHaveLength(83);
  });

  test.each(cases)('$id $name', ({ input, expect: expected }) => {
    const state = new State(schemaNamed(input.schema));
    const run = () => {
      for (const operation of input.ops) {
        const conflicts = conflictsOf(() => state.run(operation));
        expect(conflicts && new Set(conflicts)).toEqual(operation.conflicts && new Set(operation.conflicts));
      }
    };
    if (expected.error) {
      expect(run).toThrow('key');
      return;
    }
    run();
    if ('object' in expected) expect(state.object).toEqual(expected.object);
    if (expected.managed) expect(state.owned).toEqual(expected.managed);
    expect('object' in expected || expected.managed !== undefined).toBe(true);
  });
});
