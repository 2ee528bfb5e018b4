/**
 * @module Networks in CIDR notation.
 */
import { boolType, listOf, numberType, stringType } from "../../values/type.ts";
import { boolValue, listValue, stringValue, type Value } from "../../values/value.ts";
import {
  type EagerFunction,
  type FunctionError,
  functionError,
  isFunctionError,
} from "../function-definition.ts";
import { number, parameter, stringFunction, text, wholeNumber } from "./arguments.ts";
import { type Address, addressText, parseAddress } from "./ip-address.ts";

/** A network: its address with all host bits zero, and how many bits are the network's. */
interface Network extends Address {
  readonly prefix: number;
}

function parseNetwork(cidr: string): Network | FunctionError {
  const [, host = "", length = ""] = /^([^/]+)\/(\d{1,3})$/.exec(cidr) ?? [];
  const address = parseAddress(host);
  const prefix = Number(length);
  if (address === undefined || length === "" || prefix > address.bits) {
    return functionError(`invalid CIDR expression: invalid CIDR address: ${cidr}`);
  }
  return unmapped({ ...masked(address, prefix), prefix });
}

/** An IPv4 network written in IPv6's form is an IPv4 network. */
function unmapped(network: Network): Network {
  const isMapped = network.bits === 128 && network.prefix >= 96 && network.value >> 32n === 0xffffn;
  return isMapped ? { bits: 32, value: network.value & 0xffff_ffffn, prefix: network.prefix - 96 } : network;
}

function masked({ value, bits }: Address, prefix: number): Address {
  const hostBits = BigInt(bits - prefix);
  return { bits, value: (value >> hostBits) << hostBits };
}

const networkText = (network: Network): string => `${addressText(network)}/${network.prefix}`;

function cidrhost(cidr: string, host: bigint): string | FunctionError {
  const network = parseNetwork(cidr);
  if (isFunctionError(network)) return network;
  const size = 1n << BigInt(network.bits - network.prefix);
  // Negative numbers count from the end.
  const offset = host < 0n ? size + host : host;
  if (offset < 0n || offset >= size) {
    return functionError(`prefix of ${network.prefix} does not accommodate a host numbered ${host}`);
  }
  return addressText({ bits: network.bits, value: network.value + offset });
}

function cidrnetmask(cidr: string): string | FunctionError {
  const network = parseNetwork(cidr);
  if (isFunctionError(network)) return network;
  if (network.bits !== 32) return functionError(`IPv6 addresses cannot have a netmask: ${cidr}`);
  return addressText(masked({ bits: 32, value: 0xffff_ffffn }, network.prefix));
}

function cidrsubnet(cidr: string, newBits: number, index: bigint): string | FunctionError {
  const network = parseNetwork(cidr);
  if (isFunctionError(network)) return network;
  const prefix = network.prefix + newBits;
  if (prefix > network.bits) {
    return functionError(`insufficient address space to extend prefix of ${network.prefix} by ${newBits}`);
  }
  if (index < 0n || index >= 1n << BigInt(newBits)) {
    return functionError(`prefix extension of ${newBits} does not accommodate a subnet numbered ${index}`);
  }
  const value = network.value + (index << BigInt(network.bits - prefix));
  return networkText({ bits: network.bits, value, prefix });
}

function cidrsubnets(cidr: string, sizes: readonly Value[]): Value | FunctionError {
  const network = parseNetwork(cidr);
  if (isFunctionError(network)) return network;
  const end = network.value + (1n << BigInt(network.bits - network.prefix));
  const subnets: Network[] = [];
  let free = network.value;
  for (const [i, size] of sizes.entries()) {
    const newBits = wholeNumber(size, i + 1);
    if (typeof newBits === "object") return newBits;
    if (newBits < 1) return functionError("must extend prefix by at least one bit", i + 1);
    if (newBits > 32) return functionError("may not extend prefix by more than 32 bits", i + 1);
    const prefix = network.prefix + newBits;
    if (prefix > network.bits) {
      return functionError(
        `would extend prefix to ${prefix} bits, which is too long for an address with ${network.bits} bits`,
        i + 1,
      );
    }
    const step = 1n << BigInt(network.bits - prefix);
    // The next multiple of the subnet's size.
    const value = ((free + step - 1n) / step) * step;
    if (value + step > end) {
      const last = subnets.at(-1);
      const after = last === undefined ? "" : ` after ${networkText(last)}`;
      return functionError(
        `not enough remaining address space for a subnet with a prefix of ${prefix} bits${after}`,
        i + 1,
      );
    }
    subnets.push({ bits: network.bits, value, prefix });
    free = value + step;
  }
  return listValue(
    stringType,
    subnets.map((subnet) => stringValue(networkText(subnet))),
  );
}

function cidrcontains(containing: string, contained: string): boolean | FunctionError {
  const outer = parseNetwork(containing);
  if (isFunctionError(outer)) return outer;
  const single = parseAddress(contained);
  const inner = single === undefined ? parseNetwork(contained) : { ...single, prefix: single.bits };
  if (isFunctionError(inner)) return functionError(`invalid IP address or prefix: ${contained}`);
  if (inner.bits !== outer.bits)
    return functionError(`address family mismatch: ${containing} vs. ${contained}`);
  return inner.prefix >= outer.prefix && masked(inner, outer.prefix).value === outer.value;
}

const prefixParameter = parameter("prefix", stringType);

export const networkFunctions: readonly EagerFunction[] = [
  stringFunction("cidrnetmask", ["prefix"], cidrnetmask),
  {
    name: "cidrhost",
    params: [prefixParameter, parameter("hostnum", numberType)],
    returnType: stringType,
    call: ([prefix, host]) => {
      if (!number(host).isInteger) return functionError("a whole number is required", 1);
      const result = cidrhost(text(prefix), number(host).toBigInt());
      return typeof result === "string" ? stringValue(result) : result;
    },
  },
  {
    name: "cidrsubnet",
    params: [prefixParameter, parameter("newbits", numberType), parameter("netnum", numberType)],
    returnType: stringType,
    call: ([prefix, bits, index]) => {
      const newBits = wholeNumber(bits, 1, 0);
      if (typeof newBits === "object") return newBits;
      if (!number(index).isInteger) return functionError("a whole number is required", 2);
      const result = cidrsubnet(text(prefix), newBits, number(index).toBigInt());
      return typeof result === "string" ? stringValue(result) : result;
    },
  },
  {
    name: "cidrsubnets",
    params: [prefixParameter],
    variadic: parameter("newbits", numberType),
    returnType: listOf(stringType),
    call: ([prefix, ...sizes]) => cidrsubnets(text(prefix), sizes),
  },
  {
    name: "cidrcontains",
    params: [parameter("containing_prefix", stringType), parameter("contained_ip_or_prefix", stringType)],
    returnType: boolType,
    call: ([containing, contained]) => {
      const result = cidrcontains(text(containing), text(contained));
      return typeof result === "boolean" ? boolValue(result) : result;
    },
  },
];
