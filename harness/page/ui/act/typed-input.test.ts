import { describe, expect, test } from 'vitest';
import { commonPrefix } from './common-prefix.ts';
import { begunFile, readsInput, withFiles } from './manifest-files.ts';
import { PromptHistory } from './prompt-history.ts';
import { samples } from './samples.ts';
import { commandsIn } from './typed-input.ts';
import { waitsForTime } from './waits-for-time.ts';

describe('A text in the prompt', () => {
  test('is one command on one line', () => {
    expect(commandsIn('kubectl get pods\n')).toEqual([{ line: 'kubectl get pods' }]);
  });

  test('has a command on each line; a backslash continues the line', () => {
    expect(
      commandsIn('$ kubectl get pods\n# then\n\nkubectl scale deployment web \\\n  --replicas=5'),
    ).toEqual([{ line: 'kubectl get pods' }, { line: 'kubectl scale deployment web  --replicas=5' }]);
  });

  test('may have here-documents', () => {
    const text = "kubectl apply -f - <<'EOF'\napiVersion: v1\nkind: Pod\nEOF\nkubectl get pods";
    expect(commandsIn(text)).toEqual([
      { line: 'kubectl apply -f -', manifest: 'apiVersion: v1\nkind: Pod\n' },
      { line: 'kubectl get pods' },
    ]);
  });

  test.each(samples)('is applied if it is a manifest: $file', ({ text }) => {
    expect(commandsIn(text)).toEqual([{ line: 'kubectl apply -f -', manifest: text }]);
  });

  test('is applied if it is a manifest in JSON', () => {
    expect(commandsIn('{ "kind": "Pod" }')).toEqual([
      { line: 'kubectl apply -f -', manifest: '{ "kind": "Pod" }\n' },
    ]);
  });
});

describe('The files of a command', () => {
  const files = new Map([
    ['web.yaml', 'web\n'],
    ['shop.yaml', 'shop\n'],
  ]);

  test.each([
    ['kubectl apply -f web.yaml', 'kubectl apply -f -', 'web\n'],
    ['kubectl apply -fweb.yaml', 'kubectl apply -f -', 'web\n'],
    ['apply --filename=docs/web.yaml -n shop', 'apply -n shop -f -', 'web\n'],
    ['delete -f ./web.yaml -f "shop.yaml"', 'delete -f -', 'web\n---\nshop\n'],
  ])('%s becomes %s', (typed, line, manifest) => {
    expect(withFiles(typed, files)).toEqual({ line, manifest });
  });

  test.each(['get pods', 'apply -f -', 'logs -f web-1', 'exec web-1 -- test -f web.yaml'])(
    '%s has none',
    (line) => {
      expect(withFiles(line, files)).toEqual({ line });
    },
  );

  test('may be missing', () => {
    expect(withFiles('apply -f web.yaml -f wbe.yaml', files)).toMatchObject({ missing: 'wbe.yaml' });
  });

  test('are read from the input for the name -', () => {
    expect(['apply -f -', 'apply -f - -n shop', 'apply -f web.yaml', 'logs -f -'].map(readsInput)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('are completed after -f', () => {
    expect(['apply -f we', 'apply -f ', 'apply we', 'logs -f we'].map(begunFile)).toEqual([
      'we',
      '',
      undefined,
      undefined,
    ]);
  });
});

describe('A command waits for time', () => {
  test.each([
    'rollout status deployment web',
    'kubectl get pods -w',
    'get pods --watch -o wide',
    'logs -f web-1',
    'wait --for=condition=Ready pod/web-1',
  ])('%s', (line) => {
    expect(waitsForTime(line)).toBe(true);
  });

  test.each(['get pods', 'rollout status deployment web --watch=false', 'logs web-1', 'exec web-1 -- ls -w'])(
    'unless it is %s',
    (line) => {
      expect(waitsForTime(line)).toBe(false);
    },
  );
});

describe('The history of the prompt', () => {
  test('goes back to the first line, and forth to the text that is being typed', () => {
    const history = new PromptHistory(['a', 'b']);
    expect([history.previous('dra'), history.previous('b'), history.previous('a')]).toEqual([
      'b',
      'a',
      undefined,
    ]);
    expect([history.next(), history.next(), history.next()]).toEqual(['b', 'dra', undefined]);
  });

  test('has a repeated line once', () => {
    const history = new PromptHistory();
    for (const line of ['a', 'a', 'b', 'a']) history.add(line);
    expect(history.lines).toEqual(['a', 'b', 'a']);
  });
});

describe('The common beginning', () => {
  test.each([
    [['deployment', 'deployments', 'describe'], 'de'],
    [['get'], 'get'],
    [['get', 'apply'], ''],
    [[], ''],
  ])('of %j is %j', (words, prefix) => {
    expect(commonPrefix(words)).toBe(prefix);
  });
});
