import { writeFileSync } from "node:fs";

/** A pseudo-random number from 0 to 1, the same each time. */
function createRandom(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const size = 32;
const inner = 64;
const context = 128;
const letters = Array.from("abcdefghijklmnopqrstuvwxyz0123456789");
const vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ...letters.map((one) => `▁${one}`), ...letters];

/**
 * Writes a BERT of one layer with weights out of the air in the GGUF format (ggml-org/ggml, docs/gguf.md): 64 kB that
 * llama.cpp loads and computes with. What it says means nothing.
 */
export function writeTinyGguf(path: string): void {
  const random = createRandom();
  const bytes = (length: number, write: (buffer: Buffer) => void) => {
    const buffer = Buffer.alloc(length);
    write(buffer);
    return buffer;
  };
  const u32 = (value: number) => bytes(4, (buffer) => buffer.writeUInt32LE(value));
  const u64 = (value: number) => bytes(8, (buffer) => buffer.writeBigUInt64LE(BigInt(value)));
  const f32 = (values: readonly number[]) => Buffer.from(Float32Array.from(values).buffer);
  const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
  const entry = (key: string, type: number, value: Buffer) => Buffer.concat([text(key), u32(type), value]);
  const number = (key: string, value: number) => entry(key, 4, u32(value));
  const word = (key: string, value: string) => entry(key, 8, text(value));
  const list = (key: string, type: number, values: readonly Buffer[]) =>
    entry(key, 9, Buffer.concat([u32(type), u64(values.length), ...values]));
  const entries = [
    word("general.architecture", "bert"),
    word("general.name", "tiny"),
    number("general.file_type", 0),
    number("bert.block_count", 1),
    number("bert.context_length", context),
    number("bert.embedding_length", size),
    number("bert.feed_forward_length", inner),
    number("bert.attention.head_count", 2),
    number("bert.pooling_type", 1),
    number("bert.vocab_size", vocabulary.length),
    entry("bert.attention.layer_norm_epsilon", 6, f32([1e-12])),
    entry("bert.attention.causal", 7, Buffer.from([0])),
    word("tokenizer.ggml.model", "bert"),
    number("tokenizer.ggml.token_type_count", 2),
    list("tokenizer.ggml.tokens", 8, vocabulary.map(text)),
    list(
      "tokenizer.ggml.token_type",
      5,
      vocabulary.map((_, at) => u32(at < 5 ? 3 : 1)),
    ),
    ...Object.entries({ padding: 0, unknown: 1, cls: 2, bos: 2, seperator: 3, eos: 3, mask: 4 }).map(([name, id]) =>
      number(`tokenizer.ggml.${name}_token_id`, id),
    ),
  ];
  const tensors: { readonly head: Buffer; readonly data: Buffer }[] = [];
  let offset = 0;
  const tensor = (name: string, shape: readonly number[], value = () => random() - 0.5) => {
    const data = f32(Array.from({ length: shape.reduce((all, one) => all * one, 1) }, value));
    tensors.push({
      head: Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)]),
      data,
    });
    offset += data.length + (-data.length & 31);
  };
  const norm = (name: string) => {
    tensor(`${name}.weight`, [size], () => 1);
    tensor(`${name}.bias`, [size]);
  };
  tensor("token_embd.weight", [size, vocabulary.length]);
  tensor("position_embd.weight", [size, context]);
  tensor("token_types.weight", [size, 2]);
  norm("token_embd_norm");
  for (const name of ["attn_q", "attn_k", "attn_v", "attn_output"]) {
    tensor(`blk.0.${name}.weight`, [size, size]);
    tensor(`blk.0.${name}.bias`, [size]);
  }
  norm("blk.0.attn_output_norm");
  tensor("blk.0.ffn_up.weight", [size, inner]);
  tensor("blk.0.ffn_up.bias", [inner]);
  tensor("blk.0.ffn_down.weight", [inner, size]);
  tensor("blk.0.ffn_down.bias", [size]);
  norm("blk.0.layer_output_norm");
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    u32(3),
    u64(tensors.length),
    u64(entries.length),
    ...entries,
    ...tensors.map((one) => one.head),
  ]);
  const pad = (buffer: Buffer) => Buffer.concat([buffer, Buffer.alloc(-buffer.length & 31)]);
  writeFileSync(path, Buffer.concat([pad(head), ...tensors.map(({ data }) => pad(data))]));
}
