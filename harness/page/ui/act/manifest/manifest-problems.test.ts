import { describe, expect, test } from 'vitest';
import { samples } from '../samples.ts';
import { problemsIn } from './manifest-problems.ts';

const web = samples[0]?.text ?? '';

/** Returns each problem as `the text of its line ← message`. */
function problems(output: string, text = web): readonly string[] {
  const lines = text.split('\n');
  return problemsIn(output, text).map(({ line, message }) => `${lines[line]?.trim()} ← ${message}`);
}

describe('An error of the server stands at the line', () => {
  test('of an unknown field', () => {
    const text = web.replace('replicas:', 'replicaz:').replace('image:', 'imagee:');
    const output =
      'Error from server (BadRequest): Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replicaz", unknown field "spec.template.spec.containers[0].imagee"';
    expect(problems(output, text)).toEqual([
      'replicaz: 3 ← unknown field "spec.replicaz"',
      'imagee: nginx:1.25 ← unknown field "spec.template.spec.containers[0].imagee"',
    ]);
  });

  test('of a value with the wrong type', () => {
    const output =
      'Error from server (BadRequest): Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32';
    expect(problems(output)).toEqual([
      'replicas: 3 ← cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ]);
  });

  test('of each field that breaks a rule', () => {
    const output =
      'The Deployment "web" is invalid: \n* spec.replicas: Invalid value: -3: must be greater than or equal to 0\n* spec.template.spec.containers[0].image: Required value: no image\nservice/web unchanged';
    expect(problems(output)).toEqual([
      'replicas: 3 ← spec.replicas: Invalid value: -3: must be greater than or equal to 0',
      'image: nginx:1.25 ← spec.template.spec.containers[0].image: Required value: no image',
    ]);
  });

  test('in the document of the object', () => {
    const output =
      'The Service "web" is invalid: spec.ports[0].port: Invalid value: 80000: must be between 1 and 65535, inclusive';
    expect(problems(output)).toEqual([
      'port: 80 ← spec.ports[0].port: Invalid value: 80000: must be between 1 and 65535, inclusive',
    ]);
  });

  test('of the object around a field that is missing', () => {
    const output =
      'The Deployment "web" is invalid: spec.template.spec.containers[0].command[2]: Invalid value: ""';
    expect(problems(output)).toEqual([
      '- name: nginx ← spec.template.spec.containers[0].command[2]: Invalid value: ""',
    ]);
  });

  test('that the message names', () => {
    expect(
      problems('error: Failed to read the editor: line 4, column 12: Nested mappings are not allowed'),
    ).toEqual([
      'metadata: ← error: Failed to read the editor: line 4, column 12: Nested mappings are not allowed',
    ]);
  });
});

test.each([
  'deployment.apps/web created\nservice/web unchanged\n',
  'Error from server (NotFound): pods "a" not found',
])('Other output has no line: %j', (output) => {
  expect(problemsIn(output, web)).toEqual([]);
});
