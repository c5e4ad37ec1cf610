/** A value that the user chooses before a menu acts. */
export type Input =
  | {
      readonly kind: 'number';
      readonly name: string;
      readonly label: string;
      /** `s`, `%`; empty for a count. */
      readonly unit: string;
      readonly min: number;
      readonly max: number;
      readonly step: number;
      readonly value: number;
    }
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly label: string;
      readonly options: readonly { readonly value: string; readonly label: string }[];
      readonly value: string;
    }
  | {
      readonly kind: 'text';
      readonly name: string;
      readonly label: string;
      readonly value: string;
      /** Shown in the empty field; a field without it must be filled in. */
      readonly placeholder?: string;
    };

/** The chosen values by the names of their inputs. */
export type Values = Readonly<Record<string, string>>;

/** Returns the values of inputs that nobody has touched. */
export function defaultsOf(inputs: readonly Input[]): Values {
  return Object.fromEntries(inputs.map(({ name, value }) => [name, `${value}`]));
}

/**
 * Returns why the values cannot be used, by the name of the input; empty if they can.
 */
export function objectionsTo(inputs: readonly Input[], values: Values): Readonly<Record<string, string>> {
  const objections = inputs.flatMap((input) => {
    const value = values[input.name] ?? '';
    if (input.kind === 'number') {
      const number = Number(value);
      const fits = value.trim() !== '' && number >= input.min && number <= input.max;
      return fits ? [] : [[input.name, `${input.min} to ${input.max}`]];
    }
    return input.kind === 'text' && input.placeholder === undefined && value.trim() === ''
      ? [[input.name, '…']]
      : [];
  });
  return Object.fromEntries(objections);
}
