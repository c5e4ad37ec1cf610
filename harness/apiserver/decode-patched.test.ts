import { describe, expect, test } from 'vitest';
import { deployments } from '../api/resource.ts';
import { StatusError } from '../api/status.ts';
import { type DecodeOptions, decodePatched, type Patch } from './decode.ts';
import { goFormat } from './schema/go-format.ts';

const ignore: DecodeOptions = { fieldValidation: 'Ignore' };
const warn: DecodeOptions = { fieldValidation: 'Warn' };
const strict: DecodeOptions = { fieldValidation: 'Strict' };

/** Returns code, reason and message of the error that `run` throws. */
function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.reason}: ${error.message}`;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('decodePatched', () => {
  /** Returns the error for an object whose whole content is the patch. */
  const patched = (
    type: Patch['type'],
    value: object,
    options = strict,
    body = JSON.stringify(value),
  ): string => refusal(() => decodePatched(deployments, value, { type, value, body }, options));

  test('rejects the field patch without naming a kind', () => {
    expect(patched('merge', { spec: { replicaz: 3 } })).toBe(
      String.raw`422 Invalid:  "" is invalid: patch: Invalid value: "{\"spec\":{\"replicaz\":3}}": strict decoding error: unknown field "spec.replicaz"`,
    );
    expect(patched('json', { spec: { replicas: '3' } }, ignore)).toMatch(
      /: json: cannot unmarshal string into Go struct field DeploymentSpec\.spec\.replicas of type int32$/,
    );
  });

  test('has another wording for a strategic merge patch', () => {
    const table: [object, string][] = [
      [{ spec: { replicas: '3' } }, 'unrecognized type: int32'],
      [{ spec: { replicas: 1.5 } }, 'cannot convert float64 to int32'],
      [{ spec: { paused: 1 } }, 'unrecognized type: bool'],
      [{ spec: { strategy: { type: 1 } } }, 'cannot convert int64 to v1.DeploymentStrategyType'],
      [{ spec: { strategy: { type: true } } }, 'unrecognized type: string'],
      [
        { spec: { strategy: { rollingUpdate: { maxSurge: true } } } },
        'json: cannot unmarshal bool into Go value of type int32',
      ],
      [{ spec: 'x' }, 'cannot restore struct from: string'],
      [{ metadata: { labels: [] } }, 'cannot restore map from slice'],
      [{ metadata: { finalizers: {} } }, 'cannot restore slice from map'],
      [{ spec: { b: 1, a: 1 } }, 'strict decoding error: unknown field "spec.a", unknown field "spec.b"'],
    ];
    for (const [value, told] of table) {
      expect(patched('strategic', value)).toBe(
        `422 Invalid:  "" is invalid: patch: Invalid value: "${goFormat(value)}": ${told}`,
      );
    }
    expect(table).toHaveLength(10);
  });

  test('returns a valid object', () => {
    const value = {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'a' },
      spec: {
        replicas: 1,
        selector: {},
        strategy: {},
        template: { metadata: {}, spec: { containers: null } },
      },
      status: {},
    };
    const patch = { type: 'json', value: [], body: '[{"op":"test","path":"/spec","path":"/kind"}]' } as const;
    const patched = { ...value, spec: { ...value.spec, x: 1 } };
    expect(decodePatched(deployments, patched, patch, warn)).toEqual({
      object: value,
      warnings: ['json patch duplicate field "[0].path"', 'unknown field "spec.x"'],
    });
    const { object } = decodePatched(deployments, patched, patch, ignore);
    const trusted = { ...strict, isTrusted: (it: object) => it === object };
    expect(decodePatched(deployments, object, { ...patch, body: '[]' }, trusted).object).toBe(object);
  });
});
