package dev.clientgo.rest;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;

/**
 * Key pairs of RSA with 2048 bits, from fixed primes. To search for primes takes the JVM 0.4 s of
 * processor time on average without C2, and at times 3 s.
 */
public final class RsaKeys {

  private static final BigInteger EXPONENT = BigInteger.valueOf(65537);

  private static final BigInteger P =
      prime(
          "DF6608B74DFC138E8A55B15A0BB2D407425289EC291A7DAC30EF59804934C98ACBBD9D580BB6D3B4"
              + "AD0B9DFF58938765A189B7BB965E836DAE56755F6BB781729342D36B23B1542133AED90642A4AB0E"
              + "3E523360FA9AA347C77B35A9E9A3FAE0DE801B5D85C7FF5B89AF08EFF57C48075A412FA9477BBEB5"
              + "93E26609138B69CB");
  private static final BigInteger Q =
      prime(
          "F15F8723C709DCF960EA36D4D72C4DFC9966210A13F3A272944EBA336C61E573B85FC093BCB797AB"
              + "81859421B683760E1D47272CD93C6964D90A0B2F10994884D67AD6B0FB792573718E7A43CA5A0FED"
              + "5B5C0E32DE61CE14342D2471B2496778F4EA94E2D23F38292679AE15A14645020FBA88D93791A217"
              + "3C294D31E2C58E35");
  private static final BigInteger R =
      prime(
          "E84981DB980AE0A6FCC7F0B9D80AEB3FD5B02142D8F171A74C3D0521D22722FE5BBDB121399D601F"
              + "6DC33AA987D4D90840BC1CA8DAEC55893B4D14CCBCF918CAD8C47EA99BDB8969A49C55C56D1B331B"
              + "10FA7597561012337D85134BB6367120EEA73E931FDEFF7D7DB4ED64E019EB601DF00D6BD04D9ADF"
              + "CDDE36FFE6A42619");

  private RsaKeys() {}

  private static BigInteger prime(String hex) {
    return new BigInteger(hex, 16);
  }

  /** Returns a key pair. */
  public static KeyPair one() throws GeneralSecurityException {
    return pair(P, Q);
  }

  /** Returns another key pair. */
  public static KeyPair another() throws GeneralSecurityException {
    return pair(P, R);
  }

  private static KeyPair pair(BigInteger p, BigInteger q) throws GeneralSecurityException {
    BigInteger beforeP = p.subtract(BigInteger.ONE);
    BigInteger beforeQ = q.subtract(BigInteger.ONE);
    BigInteger modulus = p.multiply(q);
    BigInteger secret = EXPONENT.modInverse(beforeP.multiply(beforeQ));
    KeyFactory factory = KeyFactory.getInstance("RSA");
    return new KeyPair(
        factory.generatePublic(new RSAPublicKeySpec(modulus, EXPONENT)),
        factory.generatePrivate(
            new RSAPrivateCrtKeySpec(
                modulus,
                EXPONENT,
                secret,
                p,
                q,
                secret.mod(beforeP),
                secret.mod(beforeQ),
                q.modInverse(p))));
  }
}
