/** The area of a text in a picture, in px. */
interface TextBox {
  readonly words: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** An area of a picture, in px. */
type Area = Omit<TextBox, 'words'>;

/** Returns whether two areas have a point in common. */
export function overlap(one: Area, other: Area): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** Measures each arrow of an SVG file. */
export function arrowAreas(svg: string): readonly Area[] {
  const straight = [...svg.matchAll(/ d="M([\d.-]+) ([\d.-]+) H([\d.-]+)"/g)].map(([, from, y, to]): Area => {
    const [left, right] = [Math.min(Number(from), Number(to)), Math.max(Number(from), Number(to))];
    return { left, right, top: Number(y) - 1, bottom: Number(y) + 1 };
  });
  const bent = [...svg.matchAll(/ d="M([\d.-]+) ([\d.-]+) h(\d+) v(\d+)/g)].map(
    ([, x, y, width, height]): Area => {
      const [left, top] = [Number(x), Number(y)];
      return { left, top, right: left + Number(width), bottom: top + Number(height) };
    },
  );
  return [...straight, ...bent];
}

/** Measures each text of an SVG file: a character of the monospaced font is 0.6 times as wide as the font size. */
export function textBoxes(svg: string): { readonly width: number; readonly boxes: readonly TextBox[] } {
  const width = Number(/viewBox="0 0 ([\d.]+)/.exec(svg)?.[1]);
  const boxes = [
    ...svg.matchAll(/<text class="s-(\w+)" x="([\d.-]+)" y="([\d.-]+)"([^>]*)>(.*?)<\/text>/g),
  ].map(([, kind, x, y, rest = '', content = '']): TextBox => {
    const size = kind === 'label' ? 12 : 11;
    const words = content.replace(/<[^>]*>/g, '').replace(/&\w+;/g, '&');
    const length = words.length * size * 0.6;
    const anchor = /text-anchor="(\w+)"/.exec(rest)?.[1] ?? 'start';
    const left = Number(x) - { start: 0, middle: length / 2, end: length }[anchor as 'start'];
    // Letters have a descent of a fifth of their size.
    return { words, left, right: left + length, top: Number(y) - size * 0.8, bottom: Number(y) + size * 0.2 };
  });
  return { width, boxes };
}

/** Returns the tags of an XML text that have no partner, and its characters that are not markup and not escaped. */
export function wellFormed(xml: string): readonly string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [tag, slash, name = '', attributes = ''] of xml.matchAll(/<(\/?)([\w-]+)([^<>]*)>/g)) {
    const rest = attributes.replace(/ [\w-]+="[^"<&]*(&(amp|lt|gt|quot);[^"<&]*)*"/g, '');
    if (rest !== '' && rest !== '/') wrong.push(tag);
    if (slash && open.pop() !== name) wrong.push(tag);
    if (!slash && rest !== '/') open.push(name);
  }
  const text = xml.replace(/<\/?[\w-]+[^<>]*>/g, '');
  wrong.push(...(text.match(/<|&(?!(?:amp|lt|gt|quot);)/g) ?? []));
  return [...wrong, ...open];
}
