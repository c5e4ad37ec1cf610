/** A piece of a line of YAML, and its meaning. */
export interface YamlToken {
  readonly text: string;
  readonly kind: 'key' | 'string' | 'literal' | 'mark' | 'comment' | 'plain';
}

/**
 * Splits YAML into lines of tokens, for colours. It knows the YAML that this page writes: block style, one field a line,
 * block scalars. Other YAML stays readable, without colours. The texts of the tokens together are the text.
 */
export function yamlTokens(yaml: string): readonly (readonly YamlToken[])[] {
  let scalarIndent = -1;
  return yaml.split('\n').map((line) => {
    const indent = line.search(/\S/);
    if (scalarIndent >= 0) {
      if (indent < 0 || indent > scalarIndent) return [{ text: line, kind: 'string' }];
      scalarIndent = -1;
    }
    const tokens = tokensOf(line);
    // `key: |-` begins a block scalar: the deeper lines after it are its text.
    if (/(?:^|[:-]\s)[|>][+-]?\d?\s*$/.test(line)) scalarIndent = indent;
    return tokens;
  });
}

function tokensOf(line: string): readonly YamlToken[] {
  const [, space = '', dashes = '', rest = ''] = /^(\s*)((?:- +|-$)*)(.*)$/.exec(line) ?? [];
  const tokens: YamlToken[] = [];
  const push = (text: string, kind: YamlToken['kind']): void => {
    if (text !== '') tokens.push({ text, kind });
  };
  push(space, 'plain');
  push(dashes, 'mark');
  if (rest.startsWith('#')) {
    push(rest, 'comment');
    return tokens;
  }
  const [, key, colon = '', value = ''] =
    /^("(?:[^"\\]|\\.)*"|[^\s:#"'][^:]*?(?::[^:\s]+)*?)(:)(?=\s|$)(.*)$/.exec(rest) ?? [];
  if (key !== undefined) {
    push(key, 'key');
    push(colon, 'mark');
  }
  const scalar = key === undefined ? rest : value;
  const [, gap = '', text = ''] = /^(\s*)(.*)$/.exec(scalar) ?? [];
  push(gap, 'plain');
  push(text, kindOf(text));
  return tokens;
}

function kindOf(text: string): YamlToken['kind'] {
  if (/^(?:true|false|null|~|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text)) return 'literal';
  if (/^[|>][+-]?\d?$|^[[\]{}]+$|^\{\}$/.test(text)) return 'mark';
  return 'string';
}
