/**
 * The parts of a form (`multipart/form-data`, RFC 7578) whose bytes are all there. The platform's own
 * reader has no limit on their number and copies each; here a part is a view of the bytes.
 */

export type FormPart = {
  readonly name: string;
  /** Absent for a field that is no file. */
  readonly fileName?: string;
  readonly content: Uint8Array;
};

/** Length of the lines before a part's content. */
const MAX_HEADER_BYTES = 8_192;
/** As long as the standard lets it be. */
const BOUNDARY = /; *boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;
const DISPOSITION = /^content-disposition: *form-data *;(.*)$/im;
/** A quotation mark inside is written `%22` by browsers and `\"` by others. */
const NAME = /(?:^|;) *name="((?:\\"|[^"])*)"/i;
const FILE_NAME = /(?:^|;) *filename="((?:\\"|[^"])*)"/i;

/** The parts; `undefined` when the bytes are not such a form, or have more than `maxParts`. */
export function partsOfForm(
  bytes: Uint8Array,
  contentType: string,
  maxParts: number,
): readonly FormPart[] | undefined {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return undefined;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts: FormPart[] = [];
  let end = behindFirst(body, delimiter);
  while (end !== undefined && !isAt(body, end, "--")) {
    const start = isAt(body, end, "\r\n") ? end + 2 : undefined;
    const next = start === undefined ? -1 : body.indexOf(delimiter, start - 2);
    if (start === undefined || next < start || parts.length === maxParts) return undefined;
    const part = partOf(body.subarray(start, next));
    if (part === undefined) return undefined;
    parts.push(part);
    end = behind(next, delimiter);
  }
  return end === undefined ? undefined : parts;
}

function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  return quoted ?? plain;
}

/** What stands before the first delimiter is for people; at the very beginning it has no line before it. */
function behindFirst(body: Buffer, delimiter: Buffer): number | undefined {
  const first = delimiter.subarray(2);
  const isFirst = body.subarray(0, first.length).equals(first);
  return isFirst ? first.length : behind(body.indexOf(delimiter), delimiter);
}

const behind = (index: number, delimiter: Buffer): number | undefined =>
  index === -1 ? undefined : index + delimiter.length;

const isAt = (body: Buffer, index: number, text: string): boolean =>
  body.subarray(index, index + text.length).toString("latin1") === text;

function partOf(part: Buffer): FormPart | undefined {
  const end = part.subarray(0, MAX_HEADER_BYTES).indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [, disposition = ""] = DISPOSITION.exec(part.subarray(0, end).toString("utf8")) ?? [];
  const name = NAME.exec(disposition)?.[1];
  const fileName = FILE_NAME.exec(disposition)?.[1];
  if (name === undefined) return undefined;
  const content = part.subarray(end + 4);
  return {
    name: unescaped(name),
    ...(fileName === undefined ? {} : { fileName: unescaped(fileName) }),
    content: new Uint8Array(content.buffer, content.byteOffset, content.length),
  };
}

const unescaped = (text: string): string =>
  text
    .replaceAll('\\"', '"')
    .replaceAll(/%(22|0D|0A)/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
