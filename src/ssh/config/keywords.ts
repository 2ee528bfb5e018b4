/**
 * @module The keywords of ssh_config(5), in lower case: those of OpenSSH 9.9, the old ones that it still reads over, and what
 * systems add. A keyword that is none of them is a slip, at which `ssh` stops.
 */

const keywords = new Set(
  `
  addkeystoagent addressfamily afstokenpassing batchmode bindaddress bindinterface canonicaldomains
  canonicalizefallbacklocal canonicalizehostname canonicalizemaxdots canonicalizepermittedcnames casignaturealgorithms
  certificatefile challengeresponseauthentication channeltimeout checkhostip cipher ciphers clearallforwardings
  compression compressionlevel connectionattempts connecttimeout controlmaster controlpath controlpersist
  dsaauthentication dynamicforward enableescapecommandline enablesshkeysign escapechar exitonforwardfailure
  fallbacktorsh fingerprinthash forkafterauthentication forwardagent forwardx11 forwardx11timeout forwardx11trusted
  gatewayports globalknownhostsfile globalknownhostsfile2 gssapiauthentication gssapiclientidentity
  gssapidelegatecredentials gssapikexalgorithms gssapikeyexchange gssapirenewalforcesrekey gssapiserveridentity
  gssapitrustdns hashknownhosts host hostbasedacceptedalgorithms hostbasedauthentication hostbasedkeytypes
  hostkeyalgorithms hostkeyalias hostname identitiesonly identityagent identityfile identityfile2 ignoreunknown include
  ipqos kbdinteractiveauthentication kbdinteractivedevices keepalive kerberosauthentication kerberostgtpassing
  kexalgorithms knownhostscommand localcommand localforward loglevel logverbose macs match
  nohostauthenticationforlocalhost numberofpasswordprompts obscurekeystroketiming passwordauthentication
  permitlocalcommand permitremoteopen pkcs11provider port preferredauthentications protocol proxycommand proxyjump
  proxyusefdpass pubkeyacceptedalgorithms pubkeyacceptedkeytypes pubkeyauthentication refuseconnection rekeylimit
  remotecommand remoteforward requesttty requiredrsasize revokedhostkeys rhostsauthentication rhostsrsaauthentication
  rsaauthentication rsaminsize securitykeyprovider sendenv serveralivecountmax serveraliveinterval sessiontype setenv
  skeyauthentication smartcarddevice stdinnull streamlocalbindmask streamlocalbindunlink stricthostkeychecking
  syslogfacility tag tcpkeepalive tisauthentication tunnel tunneldevice updatehostkeys useblacklistedkeys usekeychain
  useprivilegedport user useroaming userknownhostsfile userknownhostsfile2 usersh verifyhostkeydns versionaddendum
  visualhostkey warnweakcrypto xauthlocation
  `
    .trim()
    .split(/\s+/),
);

/** @param keyword in lower case */
export const isKeyword = (keyword: string): boolean => keywords.has(keyword);
